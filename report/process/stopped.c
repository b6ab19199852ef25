/* SPDX-License-Identifier: MIT */
/* stopped.c - see stopped.h. */
#define _GNU_SOURCE
#include "report/process/stopped.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "report/core/base/clock.h"
#include "report/core/base/memory.h"
#include "report/process/stopped_call.h"

#define PATIENCE_NS 3000000000
#define NAP_NS      20000

/* ---- what /proc says of a thread */

/* The value of a line of a thread's status file; "" where there is no such line. */
static void status_line(pid_t pid, pid_t id, const char *name, char *value, size_t room)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/%d/task/%d/status", (int)pid, (int)id);
	FILE *f = fopen(path, "r");
	size_t n = strlen(name);
	*value = 0;
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, name, n)) {
			line[strcspn(line, "\n")] = 0;
			snprintf(value, room, "%s", line + n + strspn(line + n, "\t "));
		}
	if (f)
		fclose(f);
}

/* Whether a thread has ended: a leader that has ended stays listed while other threads run. */
static bool has_ended(pid_t pid, pid_t id)
{
	char state[64];
	status_line(pid, id, "State:", state, sizeof state);
	return !*state || *state == 'Z' || *state == 'X';
}

/* Says why a thread cannot be seized. Yama is not the reason: it allowed opening /proc/PID/mem. */
static bool explain(pid_t pid, pid_t id, int error, struct str *err)
{
	char tracer[64], name[64];
	status_line(pid, id, "TracerPid:", tracer, sizeof tracer);
	pid_t other = (pid_t)strtol(tracer, NULL, 10);
	if (other <= 0)
		return str_fail(err,
				"the system lets nobody stop the threads of process %d: %s; in a "
				"container, this takes the capability SYS_PTRACE",
				(int)pid, strerror(error));
	status_line(other, other, "Name:", name, sizeof name);
	return str_fail(err,
			"the threads of process %d cannot be stopped: process %d (%s) traces it "
			"already, and only one can",
			(int)pid, (int)other, name);
}

/* ---- the list */

static bool knows(const struct stopped *s, pid_t id)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->threads[i].id == id)
			return true;
	return false;
}

/* Seizes a thread. *NEW becomes true if the thread was not in the list. */
static bool seize(struct stopped *s, pid_t id, bool *new, struct str *err)
{
	if (ptrace(PTRACE_SEIZE, id, NULL, NULL)) {
		int error = errno;
		return error == ESRCH || has_ended(s->pid, id) || explain(s->pid, id, error, err);
	}
	*memory_next(s->threads, s->count, s->room) = (struct stopped_thread){.id = id};
	ptrace(PTRACE_INTERRUPT, id, NULL, NULL);
	*new = true;
	return true;
}

static bool seize_new(struct stopped *s, bool *new, struct str *err)
{
	char path[64];
	bool ok = true;
	snprintf(path, sizeof path, "/proc/%d/task", (int)s->pid);
	DIR *folder = opendir(path);
	*new = false;
	for (struct dirent *e; ok && folder && (e = readdir(folder));) {
		pid_t id = (pid_t)strtol(e->d_name, NULL, 10);
		if (id > 0 && !knows(s, id))
			ok = seize(s, id, new, err);
	}
	if (folder)
		closedir(folder);
	return ok;
}

/* ---- until threads stand still */

/* Learns whether a thread has stopped. False: the thread has ended. */
static bool look(struct stopped_thread *t)
{
	int status;
	pid_t got = waitpid(t->id, &status, __WALL | WNOHANG);
	if (got == 0)
		return true;
	if (got != t->id || !WIFSTOPPED(status))
		return false;
	t->stands = true;
	if (status >> 16 == 0) /* it stands between a signal and its handler, if there is one */
		t->signal = WSTOPSIG(status);
	stopped_mend_call(t->id);
	return true;
}

static void nap(void)
{
	struct timespec t = {.tv_nsec = NAP_NS};
	nanosleep(&t, NULL);
}

/*
 * Lets a thread go on. False: the thread does not stand still, after all. Either the thread has
 * been killed, and only its tracer can learn of its end; or the process has become another program,
 * in which one thread has taken another's number.
 */
static bool let_go(struct stopped_thread *t)
{
	t->stands = !ptrace(PTRACE_DETACH, t->id, NULL, (long)t->signal);
	t->signal = 0;
	return t->stands;
}

/*
 * Checks which threads have stopped, and with LETS_GO lets them go. Returns how many have not
 * stopped yet. ALL: also looks at /proc, because ptrace does not report a leader that has ended
 * before other threads.
 */
static size_t look_at_all(struct stopped *s, bool lets_go, bool all)
{
	size_t awaited = 0;
	for (size_t i = 0; i < s->count;) {
		struct stopped_thread *t = &s->threads[i];
		bool there =
		    t->stands || (look(t) && (t->stands || !all || !has_ended(s->pid, t->id)));
		if (!there || (t->stands && lets_go && let_go(t))) {
			*t = s->threads[--s->count];
			continue;
		}
		awaited += !t->stands;
		i++;
	}
	return awaited;
}

#define PROC_EVERY 256 /* naps between two looks at /proc */

static bool wait_until(struct stopped *s, int64_t until, struct str *err)
{
	for (unsigned naps = 1; look_at_all(s, false, naps % PROC_EVERY == 0); naps++) {
		if (clock_ns(CLOCK_MONOTONIC) > until)
			return str_fail(
			    err,
			    "a thread of process %d does not stop: it waits for a disk, or for "
			    "a child that it made by vfork()",
			    (int)s->pid);
		nap();
	}
	return true;
}

static void forget(struct stopped *s)
{
	free(s->threads);
	*s = (struct stopped){.brief = s->brief};
}

bool stopped_begin(struct stopped *s, pid_t pid, struct str *err)
{
	int64_t until = clock_ns(CLOCK_MONOTONIC) + PATIENCE_NS;
	bool new = true, ok = true;
	s->pid = pid;
	while (ok && new)
		ok = seize_new(s, &new, err) && wait_until(s, until, err);
	if (ok && !s->count)
		ok = str_fail(err, "process %d has ended", (int)pid);
	if (!ok && s->brief && look_at_all(s, true, true))
		forget(s);
	else if (!ok)
		stopped_end(s);
	return ok;
}

void stopped_end(struct stopped *s)
{
	for (unsigned naps = 1; look_at_all(s, true, naps % PROC_EVERY == 0); naps++)
		nap();
	forget(s);
}

/* ---- storing */

bool stopped_store(const struct stopped *s, uint64_t at, const void *from, size_t bytes)
{
	pid_t id = s->threads[0].id;
	while (bytes) {
		size_t within = at % sizeof(long),
		       part = bytes < sizeof(long) - within ? bytes : sizeof(long) - within;
		void *word = (void *)(uintptr_t)(at - within);
		errno = 0;
		long value = ptrace(PTRACE_PEEKTEXT, id, word, NULL);
		if (errno)
			return false;
		memcpy((char *)&value + within, from, part);
		if (ptrace(PTRACE_POKETEXT, id, word, value))
			return false;
		at += part;
		from = (const char *)from + part;
		bytes -= part;
	}
	return true;
}
