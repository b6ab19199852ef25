/* SPDX-License-Identifier: MIT */
/* sampler.c - see sampler.h. */
#define _GNU_SOURCE
#include "report/second_run/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/core/base/clock.h"
#include "report/second_run/rings.h"
#include "report/second_run/unwind.h"

struct watching {
	struct sampler *sampler;
	struct rings *rings;
	struct unwind *unwind;
	bool taken;
	uint64_t others; /* samples of processes that the program started */
};

/* Tries a frame of a sample. True: the search goes on outwards. */
static bool try_frame(void *context, uint64_t address)
{
	struct watching *w = context;
	uint64_t in_file;
	const char *file = unwind_file(w->unwind, address, &in_file);

	w->taken = file && w->sampler->takes(w->sampler->context, file, in_file);
	return !w->taken;
}

static void take_sample(struct watching *w, const struct rings_sample *sample)
{
	struct sampler *s = w->sampler;
	struct unwind_sample u;

	if ((pid_t)sample->pid != s->pid) {
		w->others++;
		return;
	}
	s->samples++;
	s->in_kernel +=
	    (sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	if (!sample->abi) {
		s->elsewhere++; /* the process is ending: its registers are gone */
		return;
	}
	u = unwind_read(sample);
	bool whole = false;
	if (try_frame(w, u.registers[registers.pc])) {
		whole = unwind_walk(w->unwind, &u, try_frame, w);
		if (!w->taken)
			*(whole ? &s->elsewhere : &s->broken) += 1;
	}
	if (s->taken)
		s->taken(s->context, whole && !w->taken);
}

static void take_map(void *context, const struct perf_event_header *h)
{
	struct watching *w = context;
	const struct rings_map *m = (const void *)h;

	if (h->type == PERF_RECORD_MMAP && (pid_t)m->pid == w->sampler->pid)
		unwind_map(w->unwind, m->path, m->address, m->offset, m->bytes);
}

static void take_other(void *context, const struct perf_event_header *h)
{
	struct watching *w = context;

	if (h->type == PERF_RECORD_SAMPLE)
		take_sample(w, (const void *)h);
	else if (h->type == PERF_RECORD_LOST)
		w->sampler->lost += ((const struct rings_lost *)h)->lost;
}

/* In the child: waits until the parent is ready to sample, then becomes the program. Signals stay
 * blocked until they have the program's actions, not ours. */
static void become(const struct sampler *s, const int gate[2], const sigset_t *mask)
{
	char byte;

	close(gate[1]);
	if (read(gate[0], &byte, 1) != 1)
		_exit(127);
	s->prepare(s->preparing);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(s->command[0], s->command);
	fprintf(stderr, "zprof: cannot run '%s': %s\n", s->command[0], strerror(errno));
	_exit(127);
}

static void follow(const struct sampler *s, pid_t pid)
{
	if (s->follow)
		s->follow(pid);
}

static void close_gate(const int gate[2])
{
	close(gate[0]);
	close(gate[1]);
}

/* Starts the process. We keep both ends of the pipe, so that writing to a process that was killed
 * is no error. */
static bool start(struct sampler *s, int gate[2], struct str *err)
{
	sigset_t all, old;

	if (pipe2(gate, O_CLOEXEC))
		return str_fail(err, "cannot make a pipe: %s", strerror(errno));
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	s->pid = fork();
	if (!s->pid)
		become(s, gate, &old);
	int error = errno;
	if (s->pid > 0)
		follow(s, s->pid);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (s->pid > 0)
		return true;
	close_gate(gate);
	return str_fail(err, "cannot start a process: %s", strerror(error));
}

/* Whether the program has ended. It stays a zombie, so its number stays its own. HOW: WNOHANG, or
 * 0. */
static bool has_ended(const struct sampler *s, int how)
{
	siginfo_t info = {.si_pid = 0};

	if (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOWAIT | how))
		return errno != EINTR;
	return info.si_pid != 0;
}

static void take_end(struct sampler *s)
{
	struct rusage usage = {.ru_maxrss = 0};
	int status = 0;

	follow(s, 0);
	while (wait4(s->pid, &status, 0, &usage) < 0 && errno == EINTR)
		continue;
	s->cpu_ns = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
		    (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
	s->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void watch(struct watching *w, const int gate[2])
{
	struct sampler *s = w->sampler;
	uint64_t begun = (uint64_t)clock_ns(CLOCK_MONOTONIC);
	bool ended;

	if (write(gate[1], "", 1) != 1)
		errno = 0; /* there is room for it */
	do {
		if (w->rings)
			rings_wait(w->rings, 20);
		ended = has_ended(s, w->rings ? WNOHANG : 0);
		if (ended)
			s->wall_ns = (uint64_t)clock_ns(CLOCK_MONOTONIC) - begun;
		if (w->rings)
			rings_drain(w->rings, take_map, take_other, w);
	} while (!ended);
}

/* The kernel does not say of which process samples are lost. We assume the proportions of the
 * samples that came. */
static void share_lost(struct watching *w)
{
	struct sampler *s = w->sampler;

	if (w->others)
		s->lost = (uint64_t)((double)s->lost * (double)s->samples /
				     (double)(s->samples + w->others));
}

bool sampler_run(struct sampler *s, struct str *err)
{
	struct watching w = {.sampler = s};
	int gate[2];

	if (!start(s, gate, err))
		return false;
	w.unwind = unwind_new(s->pid);
	if (s->period_ns)
		w.rings = rings_open(s->pid, s->period_ns, &s->sees_kernel, err);
	bool ready = w.unwind && (w.rings || !s->period_ns);
	if (ready)
		watch(&w, gate);
	close_gate(gate); /* a process that still waits ends now */
	take_end(s);
	share_lost(&w);
	if (w.rings)
		rings_close(w.rings);
	unwind_free(w.unwind);
	return ready || err->used || str_fail(err, "no memory to walk stacks");
}
