/* SPDX-License-Identifier: MIT */
/*
 * zones_steps.c - an instrumented handler at every instruction of zprof_pause() and zprof_resume().
 *
 *   zones_steps [pauses]
 *
 * With `pauses` the handler pauses and goes on itself. Calls outside the pauses are printed as
 * `NAME CALLS` lines. A handler may run during a pause, so how often it is recorded is unknown.
 * Exit status 1: no pause was found where one is.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "preload/zprof.h"
#include "tests/programs/stepping.h"

#define APART __attribute__((noinline, noclone))

enum { TURNS = 12 };

static unsigned long steps;
static int pauses;

APART static void in_handler(void)
{
	__asm__ volatile("");
}

APART static void work(void)
{
	__asm__ volatile("");
}

APART static void hidden(void)
{
	__asm__ volatile("");
}

UNSEEN static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (!in_library(context))
		return;
	steps++;
	in_handler();
	if (!pauses)
		return;
	zprof_pause();
	in_handler();
	zprof_resume();
	in_handler();
}

/* The library's functions are called once before they are stepped through, so that the linker's
 * work is done. */
UNSEEN int main(int argc, char **argv)
{
	struct sigaction action;
	int bad = 0;
	(void)argv;
	pauses = argc > 1;
	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_trap;
	action.sa_flags = SA_SIGINFO;
	work();
	zprof_pause();
	zprof_resume();
	dl_iterate_phdr(find_library, NULL);
	if (handle_steps(&action) != 0)
		return 1;
	for (int i = 0; i < TURNS; i++) {
		step();
		zprof_pause();
		run();
		bad |= zprof_recording();
		hidden();
		step();
		zprof_resume();
		run();
		bad |= !zprof_recording();
		work();
	}
	printf("work %d\n", TURNS + 1);
	fprintf(stderr, "%lu steps\n", steps);
	return bad || steps < 1000;
}
