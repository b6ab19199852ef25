/* SPDX-License-Identifier: MIT */
/*
 * stopper.c - lets all threads of a process stand still over and over, until it ends, as zprof does
 * with --stopped (report/process/stopped.h).
 *
 *   stopper PID GAP [DELAY]      with GAP microseconds between two stops
 *
 * Prints how often that was, and how often a thread stood still on its way to a signal's handler. That
 * takes a signal between the two system calls that stop a thread. With DELAY so many microseconds pass
 * between them, as when another process gets the processor there.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "report/process/stopped.h"

static useconds_t delay;

/* In place of libc's, but for PTRACE_PEEKTEXT, which only stopped_store() needs. */
long ptrace(enum __ptrace_request request, ...)
{
	va_list list;
	pid_t pid;
	void *address, *data;

	va_start(list, request);
	pid = va_arg(list, pid_t);
	address = va_arg(list, void *);
	data = va_arg(list, void *);
	va_end(list);
	if (request == PTRACE_INTERRUPT && delay)
		usleep(delay);
	return syscall(SYS_ptrace, request, pid, address, data);
}

int main(int argc, char **argv)
{
	pid_t pid = argc > 2 ? (pid_t)atoi(argv[1]) : 0;
	struct str err = {0};
	long times = 0, signals = 0;
	size_t i;

	if (pid <= 0)
		return 2;
	delay = argc > 3 ? (useconds_t)atoi(argv[3]) : 0;
	for (;;) {
		struct stopped s = {0};

		str_clear(&err);
		if (!stopped_begin(&s, pid, &err))
			break;
		times++;
		for (i = 0; i < s.count; i++)
			signals += s.threads[i].signal != 0;
		stopped_end(&s);
		usleep((useconds_t)atoi(argv[2]));
	}
	printf("%ld times, %ld signals: %s\n", times, signals, str_text(&err));
	str_free(&err);
	return 0;
}
