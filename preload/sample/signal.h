/* SPDX-License-Identifier: MIT */
/*
 * signal.h - the signal that timers send (timer.h), which the program may use too.
 *
 * The signal is SIGURG, which the kernel ignores if no handler is set. So a signal that comes late,
 * after an exec or a reset, does no harm. Our handler stands before the program's disposition:
 *
 *     kernel -> ours --(one of our timers')--> noted
 *                    --(any other)-----------> what the program has asked for
 *
 * The kernel gets the program's flags and mask together with our handler, and our handler jumps to
 * the program's handler. So the program's handler runs on the stack, under the mask and with the
 * stack frames that it would have without this library. When the program sets a handler, or asks
 * which is set, the library answers from here (start/signals.c).
 */
#ifndef ZPROF_SIGNAL_H
#define ZPROF_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define SIGNAL_NUMBER SIGURG

/* As rt_sigaction(2) has it. */
struct signal_action {
	uintptr_t handler;
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

/* Puts `handler` before the program's. Several threads may call this function at once. */
void signal_take(uintptr_t handler);

/* Takes our handler away again. */
void signal_give_back(void);

bool signal_is_taken(void);

/*
 * Whether the caller is a child of vfork(), which has dispositions of its own but shares our
 * memory.
 */
bool signal_is_borrowed(void);

/* Whether the calling thread blocks the signal now. */
bool signal_is_blocked(void);

/*
 * The program's handler, to which ours jumps with a signal that is not from our timers; 0: there is
 * none.
 */
uintptr_t signal_programs(void);

/*
 * The program sets the disposition `wanted` (NULL: sets none), and gets the one it had in `before`.
 */
void signal_change(const struct signal_action *wanted, struct signal_action *before);

#endif
