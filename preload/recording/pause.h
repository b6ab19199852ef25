/* SPDX-License-Identifier: MIT */
/*
 * pause.h - stops recording and goes on with it, for all threads, at no cost to the hooks.
 *
 * The hooks look at one word anyway, `*alive`, which a fork wipes. A pause ends that word by
 * storing 2 there: from then on every hook of every thread takes the slow way, which asks here.
 * Going on does not store 1 there again, because a thread that has had no event since would then
 * charge the whole pause to its current zone. Instead there is a new word, and each thread moves to
 * it when it has settled its account:
 *
 *     here  alive ->                         words of one page; wiped by fork
 *     [ 1 ] [ 2 ] [ 2 ] [ 1 ] [   ] ...      two pauses are over
 *                  ^ a thread that has slept since before the second
 *
 * With check= on (check.h) no word is ever 1: the slow way is where the zone stack is compared.
 *
 * A thread takes pauses off its time (track/paused.h). While a pause lasts, zones that are left are
 * closed and zones that are entered are not recorded.
 *
 * ## Pauses and sites
 *
 * A pause that lasts switches the program's calls of hooks off (sites.h): the first function that
 * is entered when it has lasted long enough for that does so. Short pauses work as described above.
 * The end of a pause switches on what is off, before anything is recorded. A zone that is left
 * while its hooks are off is closed at its thread's next event (awake.h); otherwise both kinds of
 * pauses are alike.
 *
 * A handler may interrupt any of this, and have events, pauses and resumes of its own, so nothing
 * waits for another thread to finish. `depth` alone says whether there is a pause. A thread that
 * changes it brings the rest in line with it, and looks again.
 */
#ifndef ZPROF_PAUSE_H
#define ZPROF_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* Read and changed as one. */
struct pause_sum {
	uint64_t since; /* clock reading when the first of the pauses in force began; 0: none is */
	uint64_t total; /* ticks of the pauses that are over */
} __attribute__((aligned(16)));

struct pause {
	struct pause_sum sum;
	uint64_t since_ns; /* the same as sum.since, of CLOCK_MONOTONIC */
	uint32_t depth;    /* pauses in force; 0: recording */
	uint32_t met;      /* hooks that found one in force, roughly */
	bool ever;
};

/* Makes `here` and `alive`; a child of a process that was paused begins paused. False: no memory.
 */
bool pause_init(struct process *p, const struct process *from);

/* `ticks`: the clock. pause_end() returns false when no pause is in force. */
void pause_begin(struct process *p, uint64_t ticks);
bool pause_end(struct process *p, uint64_t ticks);

/*
 * A function was entered, and is left out because of a pause; its hook returns to `ret`: now is the
 * time for switching hooks off, if it is.
 */
void pause_met(struct process *p, uintptr_t ret);

/* Every thread's next event takes the slow way, once. */
void pause_knock(struct process *p);

/* Whether events are to be left out at present. */
bool pause_in_force(const struct process *p);

/* Ticks that this process has been paused, as seen at a reading of the clock. */
uint64_t pause_until(struct process *p, uint64_t ticks);

/*
 * A track is about to look at the word: if pause_knock() has ended it, and nothing else, there is a
 * new one.
 */
void pause_mend(struct process *p, uint64_t ticks);

#endif
