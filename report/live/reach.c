/* SPDX-License-Identifier: MIT */
/* reach.c - see reach.h. */
#include "report/live/reach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int tracing_scope(void)
{
	int scope = 0;
	FILE *f = fopen("/proc/sys/kernel/yama/ptrace_scope", "r");
	if (f && fscanf(f, "%d", &scope) != 1)
		scope = 0;
	if (f)
		fclose(f);
	return scope;
}

bool reach_open(struct reach *r, pid_t pid, const char *proc, bool same_user, struct str *err)
{
	char path[64];
	*r = (struct reach){.pid = pid};
	snprintf(path, sizeof path, "%s/mem", proc);
	r->mem = open(path, O_RDWR | O_CLOEXEC);
	if (r->mem < 0 && errno != ENOENT)
		r->mem = open(path, O_RDONLY | O_CLOEXEC);
	if (r->mem >= 0)
		return true;
	int error = errno;
	if (error == ENOENT || error == ESRCH)
		return str_fail(err, "there is no process %d", (int)pid);
	if (!same_user && geteuid())
		return str_fail(
		    err, "process %d is another user's: attach as that user, or as root", (int)pid);
	if (tracing_scope() > 0)
		return str_fail(
		    err,
		    "the system lets nobody reach into process %d: "
		    "kernel.yama.ptrace_scope is %d; attach as root, set it to 0, or let "
		    "the program call prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY)",
		    (int)pid, tracing_scope());
	return str_fail(err,
			"the system lets nobody reach into process %d: %s; in a container, this "
			"takes the capability SYS_PTRACE",
			(int)pid, strerror(error));
}

void reach_close(struct reach *r)
{
	reach_end(r);
	str_free(&r->why);
	if (r->mem >= 0)
		close(r->mem);
	r->mem = -1;
}

bool reach_begin(struct reach *r, struct str *err)
{
	r->batch = true;
	return !r->stops || stopped_now(&r->stopped) || stopped_begin(&r->stopped, r->pid, err);
}

void reach_end(struct reach *r)
{
	r->batch = false;
	if (stopped_now(&r->stopped))
		stopped_end(&r->stopped);
}

bool reach_read(const struct reach *r, uint64_t at, void *to, size_t bytes)
{
	return pread(r->mem, to, bytes, (off_t)at) == (ssize_t)bytes;
}

static void note(struct reach *r, const char *why)
{
	str_clear(&r->why);
	str_add(&r->why, "%s", why);
}

/* By ptrace. In a batch all threads stand still from here to its end. */
static bool write_stopped(struct reach *r, uint64_t at, const void *from, size_t bytes)
{
	if (!stopped_now(&r->stopped) && !stopped_begin(&r->stopped, r->pid, &r->why))
		return false;
	bool ok = stopped_store(&r->stopped, at, from, bytes);
	if (!ok)
		note(r, strerror(errno));
	if (!r->batch)
		reach_end(r);
	return ok;
}

bool reach_write(struct reach *r, uint64_t at, const void *from, size_t bytes)
{
	str_clear(&r->why);
	if (pwrite(r->mem, from, bytes, (off_t)at) == (ssize_t)bytes)
		return true;
	return write_stopped(r, at, from, bytes);
}

bool reach_refused(const struct reach *r, const char *what, struct str *err)
{
	return str_fail(err, "the system lets nobody write to %s of process %d: %s", what,
			(int)r->pid, r->why.text ? r->why.text : "");
}
