/* SPDX-License-Identifier: MIT */
/* reach.c - see reach.h. */
#include "report/process/reach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How far Yama, a part of some kernels, restricts tracing; 0: not at all. */
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

/* Yama's scope 1 allows tracing to parents, and to processes that the program names; scope 2 only
 * to root; 3 to nobody. */
static bool refused_by_scope(pid_t pid, int scope, struct str *err)
{
	str_fail(err,
		 "the system lets nobody reach into process %d: kernel.yama.ptrace_scope is %d",
		 (int)pid, scope);
	if (scope > 2) {
		str_add(err, " until the system starts anew; 'zprof record' works all the same");
		return false;
	}
	str_add(err, "; attach %s, %sset it to 0 (sysctl kernel.yama.ptrace_scope=0)",
		geteuid() ? "as root" : "with the capability SYS_PTRACE", scope > 1 ? "or " : "");
	if (scope == 1)
		str_add(err, ", or let the program call prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY)");
	return false;
}

/* Whether a process's files in /proc are root's, as they are if it has more rights than its
 * user. */
static bool is_private(const char *mem)
{
	struct stat st;
	return !stat(mem, &st) && st.st_uid != geteuid();
}

static bool explain(pid_t pid, const char *mem, bool same_user, int error, struct str *err)
{
	int scope = tracing_scope();
	if (error == ENOENT || error == ESRCH)
		return str_fail(err, "there is no process %d", (int)pid);
	if (geteuid() && !same_user)
		return str_fail(
		    err, "process %d is another user's: attach as that user, or as root", (int)pid);
	if (geteuid() && is_private(mem))
		return str_fail(err,
				"process %d lets only root reach into it: it has, or had, more "
				"rights than its user, or has called prctl(PR_SET_DUMPABLE, 0)",
				(int)pid);
	if (scope > 0)
		return refused_by_scope(pid, scope, err);
	return str_fail(err,
			"the system lets nobody reach into process %d: %s; in a container, this "
			"takes the capability SYS_PTRACE",
			(int)pid, strerror(error));
}

bool reach_open(struct reach *r, pid_t pid, const char *proc, bool same_user, struct str *err)
{
	char path[64];
	*r = (struct reach){.pid = pid};
	snprintf(path, sizeof path, "%s/mem", proc);
	r->mem = open(path, O_RDWR | O_CLOEXEC);
	if (r->mem < 0 && errno != ENOENT)
		r->mem = open(path, O_RDONLY | O_CLOEXEC);
	return r->mem >= 0 || explain(pid, path, same_user, errno, err);
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

/* Writes by ptrace. Threads that are stopped in a batch stand still until its end. */
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
