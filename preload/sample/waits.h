/* SPDX-License-Identifier: MIT */
/*
 * waits.h - what a thread waited for (offcpu=1). Each wait is added to a record of its node
 * (format.h, struct zprof_wait).
 *
 * A wait that the ring's notes tell of (away.h) is matched by time with the place where the program
 * then was (blocked.h). The number of the system call is not among the registers, but in the
 * instructions before the `syscall` instruction. Each place in the code is read once:
 *
 *     b8 ca 00 00 00    mov $202, %eax
 *     0f 05             syscall
 *                       <- ip
 *
 * A call that takes its number from elsewhere (syscall(2) itself) is known by its place alone. For
 * futex(2), the record also says which lock was waited for: its address, and where in the program
 * pthread_mutex_init() was called for the lock, if at all (locks.h). Waits in hooks are kept apart,
 * because the program did not ask for them.
 *
 * Where functions end without a hook, the same notes of the kernel tell in which function a wait was,
 * without offcpu=1 too: waits_place(). Then they carry a longer part of the stack.
 */
#ifndef ZPROF_WAITS_H
#define ZPROF_WAITS_H

#include <stdbool.h>
#include <stdint.h>

struct process;
struct ring_note;
struct waits;

/* Makes the waits of a lineage of threads. NULL: no memory. */
struct waits *waits_new(struct process *p, uint32_t thread);

/* Begins to record the waits of the calling thread. `roomy`: with room for many. */
void waits_begin(struct waits *w, bool roomy);

/* Ends the recording of waits. May be called by any thread. */
void waits_end(struct waits *w);

/*
 * To be called when a note says that the thread left the processor, or came back, or when such
 * notes are missing.
 */
void waits_left(struct waits *w, uint64_t time_ns);
void waits_back(struct waits *w, uint64_t time_ns);
void waits_unknown(struct waits *w);

/*
 * Where the thread was when it last left the processor, as a sample that carries a stack. False: the
 * place is not known, or has no stack.
 */
bool waits_place(const struct waits *w, struct ring_note *note);

/*
 * The absence that has just ended was a wait of `ns` in `node` (a reference): adds it to a record.
 */
void waits_charge(struct waits *w, struct process *p, uint32_t node, uint64_t ns);

#endif
