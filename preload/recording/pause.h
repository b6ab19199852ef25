/* SPDX-License-Identifier: MIT */
/*
 * pause.h - pauses and resumes recording for all threads, at no cost to the hooks.
 *
 * The hooks look at one word anyway, `*alive`, which a fork wipes. A pause stores 2 in this word:
 * from then on every hook of every thread takes the slow way, which asks pause_in_force(). The end
 * of the pause does not store 1 in this word again, because a thread that had no event during the
 * pause would then charge the whole pause to its current zone. Instead `alive` points to a new
 * word, and each thread moves on to the new word when it has taken the pause off its time:
 *
 *     here  alive ->                         words of one page; wiped by fork
 *     [ 1 ] [ 2 ] [ 2 ] [ 1 ] [   ] ...      two pauses are over
 *                  ^ a thread that has slept since before the second
 *
 * With check= on (check.h) no word is ever 1, because the slow way compares the zone stack.
 *
 * A thread takes pauses off its time (track/paused.h). During a pause, zones that end are closed,
 * and zones that are entered are not recorded.
 *
 * ## Pauses and sites
 *
 * In a long pause the program's calls of hooks are switched off (sites.h), by the first function
 * that is entered after the pause has lasted long enough. Short pauses work as described above. The
 * end of a pause switches hooks on again before anything is recorded. A zone that ends while its
 * hooks are off is closed at its thread's next event (awake.h). In all else, long and short pauses
 * are alike.
 *
 * A signal handler may interrupt any of these functions, and have events, pauses and resumes of its
 * own. So no function waits for another thread to finish. `depth` alone says whether there is a
 * pause. A thread that changes `depth` brings everything else in line with it, and then looks at
 * `depth` again.
 */
#ifndef ZPROF_PAUSE_H
#define ZPROF_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* Both words are read and changed at once. */
struct pause_sum {
	uint64_t since; /* clock reading as the outermost pause in force began; 0: no pause */
	uint64_t total; /* ticks of the pauses that are over */
} __attribute__((aligned(16)));

struct pause {
	struct pause_sum sum;
	uint64_t since_ns; /* the moment of sum.since, by CLOCK_MONOTONIC */
	uint32_t depth;    /* pauses in force; 0: recording */
	uint32_t met;      /* hooks that found a pause in force, roughly */
	bool ever;
};

/* Makes `here` and `alive`; a child of a process that was paused begins paused. False: no memory.
 */
bool pause_init(struct process *p, const struct process *from);

/* `ticks` is a reading of the clock. pause_end() returns false when no pause is in force. */
void pause_begin(struct process *p, uint64_t ticks);
bool pause_end(struct process *p, uint64_t ticks);

/*
 * A function was entered, and is left out because of a pause; its hook returns to `ret`. If the
 * pause has lasted long enough, hooks are now switched off.
 */
void pause_met(struct process *p, uintptr_t ret);

/* Makes every thread's next event take the slow way, once. */
void pause_knock(struct process *p);

/* Whether events are to be left out at present. */
bool pause_in_force(const struct process *p);

/* Ticks that this process has been paused, as seen at a reading of the clock. */
uint64_t pause_until(struct process *p, uint64_t ticks);

/*
 * To be called before a track takes over the word: if pause_knock() has ended the word, but there
 * is no pause, begins a new word.
 */
void pause_mend(struct process *p, uint64_t ticks);

#endif
