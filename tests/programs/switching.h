/* SPDX-License-Identifier: MIT */
/*
 * switching.h - for programs that switch their own hooks off and on, and look at their own code to see
 * whether they are. To be included once, by a program of one file, which names by SWITCHED the
 * function that is looked at.
 */
#ifndef TESTS_SWITCHING_H
#define TESTS_SWITCHING_H

#include <stdio.h>
#include <string.h>

#include "preload/zprof.h"

#define QUIET __attribute__((no_instrument_function))

static volatile int recorded; /* one span is in progress */
static int status;            /* 1: hooks were on that should be off, or off that should be on */
static volatile long sink;

/* Whether it is a displacement that leads into the program: otherwise the byte before is part of
 * another instruction. */
QUIET static int leads_near(const unsigned char *at)
{
	int distance;

	memcpy(&distance, at, sizeof(distance));
	return distance > -(1 << 20) && distance < 1 << 20;
}

/* A call of a hook, on or off: e8 or a9, and a displacement; or ff 15, or 85 15. */
QUIET static int first_site(const unsigned char *code)
{
	int i;

	for (i = 0; i < 96; i++) {
		if ((code[i] == 0xff || code[i] == 0x85) && code[i + 1] == 0x15)
			return code[i] == 0xff;
		if ((code[i] == 0xe8 || code[i] == 0xa9) && leads_near(code + i + 1))
			return code[i] == 0xe8;
	}
	return -1;
}

QUIET static int is_on(void)
{
	return first_site((const unsigned char *)(void *)SWITCHED) == 1;
}

QUIET static void must_be(int on, const char *when)
{
	if (is_on() == on)
		return;
	printf("hooks are %s %s\n", on ? "off" : "on", when);
	status = 1;
}

/* A pause that lasts until its hooks are off. */
QUIET static void fall_asleep(void)
{
	long n;

	recorded = 0;
	zprof_pause();
	for (n = 0; is_on() && n < 200000000; n++)
		SWITCHED(1);
	must_be(0, "in a long pause");
}

QUIET static void wake_up(void)
{
	zprof_resume();
	recorded = 1;
	must_be(1, "when it is over");
}

#endif
