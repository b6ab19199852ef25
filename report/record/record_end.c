/* SPDX-License-Identifier: MIT */
/* record_end.c - see record_end.h. */
#define _GNU_SOURCE
#include "report/record/record_end.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "report/core/base/clock.h"

static uint64_t time_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

/* The time that a process's first thread was ready to run without a processor: the second number of
 * /proc/PROCESS/schedstat. */
static uint64_t queued_ns(const char *process)
{
	char path[64];
	unsigned long long ns = 0;
	snprintf(path, sizeof path, "/proc/%s/schedstat", process);
	FILE *f = fopen(path, "re");
	if (f && fscanf(f, "%*u %llu", &ns) != 1)
		ns = 0;
	if (f)
		fclose(f);
	return ns;
}

static void read_name(const char *process, char name[16])
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%s/comm", process);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(name, 1, 15, f) : 0;
	name[n] = 0;
	if (n && name[n - 1] == '\n')
		name[n - 1] = 0;
	if (f)
		fclose(f);
}

/* Reads the kernel's counts of the zombie. LATE_NS: the longest time by which we may have seen its
 * end too late. */
static void look_at_zombie(struct record_end *end, uint64_t now_ns, uint64_t late_ns)
{
	char number[16];
	clockid_t clock;
	snprintf(number, sizeof number, "%d", end->pid);
	if (clock_getcpuclockid(end->pid, &clock))
		return;
	end->cpu_ns = (uint64_t)clock_ns(clock);
	end->queued_ns = queued_ns(number);
	read_name(number, end->name);
	end->ended_ns = now_ns - late_ns;
}

bool record_end_wait(struct record_end *end, pid_t pid, void (*before_reaping)(void))
{
	siginfo_t info;
	struct rusage all;
	*end = (struct record_end){.pid = pid};
	uint64_t queued = queued_ns("self");
	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) && errno == EINTR)
		continue;
	uint64_t now = (uint64_t)clock_ns(CLOCK_MONOTONIC);
	look_at_zombie(end, now, queued_ns("self") - queued);
	before_reaping();
	while (wait4(pid, &end->status, 0, &all) < 0)
		if (errno != EINTR)
			return false;
	uint64_t cpu = time_ns(&all.ru_utime) + time_ns(&all.ru_stime);
	end->children_ns = cpu > end->cpu_ns ? cpu - end->cpu_ns : 0;
	end->peak_bytes = (uint64_t)all.ru_maxrss * 1024;
	return true;
}
