/* SPDX-License-Identifier: MIT */
/*
 * signal.h - the signal that timers send (timer.h), which the program may use too.
 *
 * The signal is SIGURG, which the kernel ignores if nobody handles it: so one that comes late,
 * after an exec or a reset, does no harm. Our handler stands before the program's disposition:
 *
 *     kernel -> ours --(one of our timers')--> noted
 *                    --(any other)-----------> what the program has asked for
 *
 * The kernel is told the program's flags and mask together with our handler, and our handler jumps
 * to the program's handler: so the program's runs on the stack, under the mask and with the frames
 * that it would have without us. The program's own calls to set a handler, or to ask for it, are
 * answered from here (start/signals.c).
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

/* `handler` stands before the program's from here on. Threads may do this at once. */
void signal_take(uintptr_t handler);

/* Our handler does so no longer. */
void signal_give_back(void);

bool signal_is_taken(void);

/* Whether the caller is a child of vfork(), with dispositions of its own and our memory. */
bool signal_is_borrowed(void);

/* Whether the calling thread does not get the signal now. */
bool signal_is_blocked(void);

/* Where to go on with a signal that is the program's; 0: nowhere. */
uintptr_t signal_programs(void);

/* The program asks for WANTED (NULL: for nothing), and is told that it had BEFORE. */
void signal_change(const struct signal_action *wanted, struct signal_action *before);

#endif
