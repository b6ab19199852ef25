/* SPDX-License-Identifier: MIT */
/*
 * counters_left.c - a jump out of a signal handler at every single instruction of the library's
 * zprof_lent_counter(), by which an interpreter names a counter.
 *
 * A child for each: the jump leaves it half-way through naming one counter; it names another, then
 * the first again, and counts 11 and 22. A child that takes more than ten seconds hangs. Prints how
 * many children there were.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/zprof.h"
#include "tests/programs/stepping.h"

enum { STRIDE = 7, NOT_REACHED = 3 };

static sigjmp_buf back;
static unsigned steps, leave_at;
static uint64_t one, two;

__attribute__((noinline)) static void work(void)
{
	__asm__ volatile("");
}

UNSEEN static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (in_library(context) && ++steps == leave_at)
		siglongjmp(back, 1);
}

/* Calls the function once before it is stepped through, so that the linker's work is done. */
UNSEEN static int child(void)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
	uint32_t zone = zprof_lent("lent", NULL, NULL, 0);
	int left;

	alarm(100);
	work();
	zprof_lent_enter(zone);
	zprof_lent_leave();
	dl_iterate_phdr(find_library, NULL);
	handle_steps(&action);
	left = sigsetjmp(back, 1);
	if (!left) {
		step();
		zprof_lent_counter("one", &one);
		run();
	}
	if (!zprof_lent_counter("two", &two) || !zprof_lent_counter("one", &one))
		return 1;
	zprof_lent_enter(zone);
	one += 11;
	two += 22;
	zprof_lent_leave();
	return left ? 0 : NOT_REACHED;
}

UNSEEN int main(void)
{
	int status = 0, children = 0;

	for (leave_at = 1; status == 0; leave_at += STRIDE, children++) {
		pid_t pid = fork();
		if (pid == 0)
			exit(child());
		if (waitpid(pid, &status, 0) != pid)
			return 1;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != NOT_REACHED) {
		printf("left at instruction %u: status %x\n", leave_at - STRIDE, (unsigned)status);
		return 1;
	}
	printf("%d\n", children);
	return 0;
}
