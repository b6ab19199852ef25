/* SPDX-License-Identifier: MIT */
/*
 * timer.h - a ring (ring.h) that we write ourselves, where the kernel may not be asked to.
 *
 * A timer of the thread's CPU time sends the thread a signal, and its handler notes where the
 * thread is. Like the kernel's, the notes are read by the hook that comes next. The differences:
 *
 *   - The kernel looks at such timers at its clock's ticks, some 100 to 1,000 a second, so a note
 *     stands for a tick or more.
 *   - Time in the kernel is seen as the system call, at its end. Switches are not seen.
 *   - No note is written while the program blocks the signal (signal.h): the signal comes when the
 *     program lets it. Like any blocked signal, it can be pending only once: one that the program
 *     sends to the same thread in the meantime is lost.
 *   - The signal takes stack, at any time; without room for it the program dies (below).
 *   - A system call that lets the signal in while it waits (sigsuspend, ppoll, pselect,
 *     epoll_pwait) is interrupted by one that was blocked before. Others are not, where the kernel
 *     sends the signal on the way back to the program (CONFIG_POSIX_CPU_TIMERS_TASK_WORK, all of
 *     x86-64 since Linux 5.10).
 *
 * ## The smallest stack
 *
 * A hook takes up to 2,560 bytes below the function that calls it, whoever takes the samples: so
 * much where a context or a thread is new, some 100 otherwise, and 1,300 where samples have come.
 * (check=N takes 6 KiB more, and what libunwind takes.) A timer's signal takes
 * AT_MINSIGSTKSZ + 512 bytes, in a hook as well as in the program: the first is what the kernel's
 * frame may take on the processor at hand (getauxval(3): 1,776 with AVX2, some 3,600 with AVX-512,
 * 11,000 with AMX). If the thread has a signal stack, the signal takes that. So the smallest stack
 * with a timer has AT_MINSIGSTKSZ and 3 KiB, besides what the program's functions take.
 *
 * A timer needs an entry of RLIMIT_SIGPENDING; no more than a quarter of them are taken.
 */
#ifndef ZPROF_TIMER_H
#define ZPROF_TIMER_H

#include "preload/sample/ring.h"

#include <signal.h>

/* The time from one of the kernel's ticks to the next: no timer is quicker. */
uint64_t timer_tick_ns(void);

/* What ring.h has for both kinds of ring, for a timer's. */
long timer_open(struct ring *ring);
void timer_close(struct ring *ring);
void timer_read(struct ring *ring, struct ring_note *note);
void timer_done(struct ring *ring);
bool timer_is_full(const struct ring *ring);

/* No more notes from here on; what has been written can be read. By any thread. */
void timer_stop(struct ring *ring);

/* In a forked child, which has none of its parent's timers. */
void timer_forget_all(void);

/* One note, at once: to see what it costs. False: none was written. */
bool timer_try(const struct ring *ring);

/* Whether a signal that the program has waited for is one of ours. */
bool timer_sent(const siginfo_t *info);

#endif
