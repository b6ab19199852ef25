/* SPDX-License-Identifier: MIT */
/* sampler.c - see sampler.h. */
#define _GNU_SOURCE
#include "report/sampler/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "report/sampler/rings.h"
#include "report/sampler/unwind.h"

struct watching {
	struct sampler *sampler;
	struct rings *rings;
	struct unwind *unwind;
	bool taken;
};

/* True where the search goes on outwards. */
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
	/* of the kernel's order, which the record has, to DWARF's */
	static const unsigned char dwarf[UNWIND_REGISTERS] = {0, 3, 2,  1,  4,  5,  6,  7, 16,
							      8, 9, 10, 11, 12, 13, 14, 15};
	struct sampler *s = w->sampler;
	struct unwind_sample u = {.stack = NULL};
	uint64_t size;

	if ((pid_t)sample->pid != s->pid)
		return;
	s->samples++;
	s->in_kernel +=
	    (sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	if (!sample->abi) {
		s->elsewhere++; /* it is being ended, and has no registers of its own any more */
		return;
	}
	for (int i = 0; i < UNWIND_REGISTERS; i++)
		u.registers[dwarf[i]] = sample->rest[i];
	size = sample->rest[UNWIND_REGISTERS];
	if (size) {
		u.stack = (const unsigned char *)&sample->rest[UNWIND_REGISTERS + 1];
		u.stack_bytes = sample->rest[UNWIND_REGISTERS + 1 + size / 8];
	}
	bool whole = false;
	if (try_frame(w, u.registers[UNWIND_PC])) {
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

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The program waits until it may begin: the samples are of it alone, from its first instruction. */
static bool start(struct sampler *s, int *go, struct str *err)
{
	int gate[2];
	char byte;

	if (pipe2(gate, O_CLOEXEC) || (s->pid = fork()) < 0)
		return str_fail(err, "cannot start a process: %s", strerror(errno));
	if (!s->pid) {
		close(gate[1]);
		if (read(gate[0], &byte, 1) != 1)
			_exit(127);
		s->prepare(s->preparing);
		execvp(s->command[0], s->command);
		fprintf(stderr, "zprof: cannot run '%s': %s\n", s->command[0], strerror(errno));
		_exit(127);
	}
	close(gate[0]);
	*go = gate[1];
	return true;
}

static void watch(struct watching *w, int go)
{
	struct sampler *s = w->sampler;
	struct rusage usage = {.ru_maxrss = 0};
	uint64_t begun = now_ns();
	int status = 0;
	pid_t ended;

	if (write(go, "", 1) != 1)
		errno = 0; /* it has been killed, as its status says */
	close(go);
	do {
		if (w->rings)
			rings_wait(w->rings, 20);
		ended = wait4(s->pid, &status, w->rings ? WNOHANG : 0, &usage);
		if (ended)
			s->wall_ns = now_ns() - begun;
		if (w->rings)
			rings_drain(w->rings, take_map, take_other, w);
	} while (!ended || (ended < 0 && errno == EINTR));
	s->cpu_ns = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
		    (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
	s->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool sampler_run(struct sampler *s, struct str *err)
{
	struct watching w = {.sampler = s};
	int go = -1;

	if (!start(s, &go, err))
		return false;
	w.unwind = unwind_new(s->pid);
	if (s->period_ns)
		w.rings = rings_open(s->pid, s->period_ns, &s->sees_kernel, err);
	bool ready = w.unwind && (w.rings || !s->period_ns);
	if (ready) {
		watch(&w, go);
	} else {
		close(go);
		waitpid(s->pid, NULL, 0);
	}
	if (w.rings)
		rings_close(w.rings);
	unwind_free(w.unwind);
	return ready || err->used || str_fail(err, "no memory to walk stacks");
}
