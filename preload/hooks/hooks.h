/* SPDX-License-Identifier: MIT */
/*
 * hooks.h - which instance of the hot path (hot.h) the program's calls go to.
 *
 * The hook that the program calls is a jump through a pointer, which the processor predicts. So the
 * clock can be chosen at start, and counting alone pays nothing for timing. The pointers take these
 * values, in this order:
 *
 *     asleep -> the instance that reads the clock at every event -> the chosen instance, or off
 *
 * Asleep: the hooks may be called before the library can do anything (wake.c). Off: nothing is
 * recorded, and a hook is a compare and a return.
 */
#ifndef ZPROF_HOOKS_H
#define ZPROF_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

/* ---- of each front end, for all threads */

struct front_choice {
	uint32_t mode; /* enum zprof_mode */
	bool filtered; /* functions may be left out (only.h) */
	bool chosen;   /* functions have been chosen since recording began (only.h) */
	bool sited; /* call sites are kept, or calls are timed one by one (callsites.h, watch.h) */
	bool alone; /* code of the program has entries without exits (entries.h) */
};

void hooks_choose(const struct front_choice *choice);
void fentry_choose(const struct front_choice *choice);
void displaced_choose(const struct front_choice *choice);

/* Where the exported hooks go (front.h). */
#define HIDDEN __attribute__((visibility("hidden")))
extern HIDDEN uintptr_t hooks_enter_now, hooks_exit_now, fentry_enter_now, fentry_exit_now;
#undef HIDDEN

void hooks_off(void);
void fentry_off(void);
void displaced_off(void);

/* Sets pointers that are asleep to the first instance. Other pointers stay as they are. */
void hooks_awake(void);
void fentry_awake(void);

/* What trampolines call (displaced.c). */
void displaced_enter(void) __attribute__((visibility("hidden")));

/*
 * For a hook that was called asleep; `entered`: by a function's beginning. True: the hook is awake
 * now. False: the call is lost, and counted in hooks_missed.
 */
bool hooks_wake(bool entered) __attribute__((visibility("hidden")));
extern uint64_t hooks_missed __attribute__((visibility("hidden")));

#endif
