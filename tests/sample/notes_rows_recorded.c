/* SPDX-License-Identifier: MIT */
/*
 * notes_rows_recorded.c - rows of notes.h: rings that a real kernel wrote (notes_rings.h). What
 * must be charged has been reckoned from the notes as tests/tools/record_ring.c reads them, and from
 * the thread's own clocks.
 */
#include "tests/sample/notes.h"

/* clang-format off */
static const struct row rows[] = {
	{"a real ring: a thread that runs", "kernel 1ms later",
	 "recorded runs, f looks",
	 "f user 6011298ns/6"},
	{"... seen outside of the kernel alone", "user 1ms later",
	 "recorded outside, f looks",
	 "f user 6007464ns/6 preempted 26510ns/1"},
	{"... that waits", "kernel 1ms later",
	 "recorded waits, f looks",
	 "f user 6011050ns/6 waited 3308378ns/3 preempted 40806ns/1"},
	{"... that is in the kernel", "kernel 1ms later",
	 "recorded asks, f looks",
	 "f kernel 9010987ns/9"},
	{"... beside a busy process on its processor", "kernel 1ms later",
	 "recorded shares, f looks",
	 "f user 20014542ns/20 waited 102272ns/1 preempted 20289036ns/5"},
	{"... after which the ring goes on at its beginning", "kernel 100us later",
	 "recorded wraps, f looks",
	 "f user 2999932ns/30 waited 1087144ns/1, unseen 8056395ns"},
	{"... longer than its ring", "kernel 1ms later",
	 "recorded outlives, f looks",
	 "f user 14026139ns/9 kernel 1007297ns/1 waited 1030624ns/1 preempted 80829ns/3, rings 2"},
	{"... that fills its ring, and waits then", "kernel 100us later",
	 "recorded overflows, f looks",
	 "f user 11749181ns/117 kernel 316361ns/3 waited 2126600ns/2"},
};
/* clang-format on */

const struct rows notes_rows_recorded = ROWS(rows);
