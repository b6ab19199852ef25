/* SPDX-License-Identifier: MIT */
/*
 * timer.h - a ring (ring.h) that the library writes itself, where the kernel may not be asked for
 * notes.
 *
 * A timer of the thread's CPU time sends the thread a signal, whose handler notes where the thread
 * is. As with the kernel's notes, the next hook reads them. The differences:
 *
 *   - The kernel looks at such timers only at the ticks of its clock, some 100 to 1,000 a second,
 *     so a note stands for a tick or more.
 *   - In a system call the signal comes only at the call's end, so all time in the kernel is noted
 *     at the place of the call. No note says when the thread leaves the processor.
 *   - No note is written while the program blocks the signal (signal.h): the signal comes when the
 *     program unblocks it. Like any blocked signal, ours can be pending only once: if the program
 *     sends the same signal to the thread while ours is pending, the program's is lost.
 *   - The signal takes stack, at any time; without room on the stack the program dies (below).
 *   - A system call that unblocks the signal while it waits (sigsuspend, ppoll, pselect,
 *     epoll_pwait) is interrupted if the signal was pending. Other system calls are not, where the
 *     kernel sends the signal on the way back to the program (CONFIG_POSIX_CPU_TIMERS_TASK_WORK,
 *     all of x86-64 since Linux 5.10).
 *
 * ## The smallest stack
 *
 * With the kernel's samples as with a timer's, a hook takes up to 2,560 bytes of stack below the
 * function that calls it: so much if a context or a thread is new, 1,300 if samples have come, and
 * some 100 otherwise. (check=N takes 6 KiB more, and what libunwind takes.) A timer's signal takes
 * AT_MINSIGSTKSZ + 512 bytes, whether it comes in a hook or in the program. AT_MINSIGSTKSZ is the
 * size of the kernel's stack frame for a signal on this processor (getauxval(3): 1,776 with AVX2,
 * some 3,600 with AVX-512, 11,000 with AMX). If the thread has a signal stack, the signal takes
 * these bytes there. So the smallest stack with a timer has AT_MINSIGSTKSZ and 3 KiB, besides what
 * the program's functions take.
 *
 * A timer needs an entry of RLIMIT_SIGPENDING. The library takes a quarter of these entries at
 * most.
 */
#ifndef ZPROF_TIMER_H
#define ZPROF_TIMER_H

#include "preload/sample/ring.h"

#include <signal.h>

/* The time from one of the kernel's ticks to the next: no timer is quicker. */
uint64_t timer_tick_ns(void);

/* The functions of ring.h, for a ring that a timer writes. */
long timer_open(struct ring *ring);
void timer_close(struct ring *ring);
void timer_read(struct ring *ring, struct ring_note *note);
void timer_done(struct ring *ring);
bool timer_is_full(const struct ring *ring);

/*
 * From here on, notes carry a part of the stack, if there is memory for the stacks of a whole ring:
 * stores in ring->stack_bytes how much. timer_open() calls this function if that is not 0.
 */
void timer_carry_stacks(struct ring *ring);

/*
 * Ends a timer: no more notes come, and those written can still be read. May be called by any
 * thread.
 */
void timer_stop(struct ring *ring);

/* In a forked child, which has none of its parent's timers: forgets them. */
void timer_forget_all(void);

/*
 * Has the handler write one note at once, to measure what a note costs. False: no note was written.
 */
bool timer_try(const struct ring *ring);

/*
 * Whether a signal comes from one of our timers: the program may wait for signals (sigwait(3)), and
 * get ours.
 */
bool timer_sent(const siginfo_t *info);

#endif
