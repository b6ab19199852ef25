/* SPDX-License-Identifier: MIT */
/*
 * waits.h - what a thread waited for (offcpu=1): each wait, put into a record of its node
 * (format.h, struct zprof_wait).
 *
 * A wait that the ring has told of (away.h) is matched with where the program was then (blocked.h).
 * The number of the system call is not among the registers, but in the instructions before the one
 * that calls the system. Each place is read once:
 *
 *     b8 ca 00 00 00    mov $202, %eax
 *     0f 05             syscall
 *                       <- ip
 *
 * A call that takes its number from elsewhere (syscall(2) itself) is known by its place alone. Of
 * futex(2), the lock that was waited for is part of the record: where it lies, and where in the
 * program pthread_mutex_init() was called for it, if at all (locks.h). A hook's waits are told
 * apart, because the program did not ask for them.
 */
#ifndef ZPROF_WAITS_H
#define ZPROF_WAITS_H

#include <stdbool.h>
#include <stdint.h>

struct process;
struct waits;

/* Of one lineage of threads. NULL: no memory. */
struct waits *waits_new(struct process *p, uint32_t thread);

/* Waits of the calling thread are recorded from here on. ROOMY: with room for many. */
void waits_begin(struct waits *w, bool roomy);

/* By any thread. */
void waits_end(struct waits *w);

/* The thread left the processor, or came back, or notes of that are missing. */
void waits_left(struct waits *w, uint64_t time_ns);
void waits_back(struct waits *w, uint64_t time_ns);
void waits_unknown(struct waits *w);

/* The absence that has ended was a wait of so long, in NODE (a reference). */
void waits_charge(struct waits *w, struct process *p, uint32_t node, uint64_t ns);

#endif
