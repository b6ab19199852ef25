/* SPDX-License-Identifier: MIT */
/*
 * blocked.h - where in the program a thread was each time that it left the processor (offcpu=1).
 *
 * A second event (event.h) notes each time that the thread leaves the processor, with the program's
 * registers: the address of its next instruction, and the first arguments of a system call. This
 * event has a ring of its own, beside the ring that tells when the thread left and came back
 * (ring.h). Both have the times of one clock:
 *
 *     ring     ... left 7.002 ......... back 9.150 ... left 9.300
 *     blocked  ... 7.001 in read(3)  ................. 9.299 in futex(0x404060)
 *
 * So the program's system call is known without intercepting any function. Such a switch happens
 * inside the kernel, so the kernel notes it only for processes that may look into the kernel (whose
 * samples are ZPROF_SAMPLER_KERNEL's).
 */
#ifndef ZPROF_BLOCKED_H
#define ZPROF_BLOCKED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes for the notes of a thread. A note takes 144; with a stack that leads to the function that
 * waits (BLOCKED_LONG_STACK), 1,120.
 */
#define BLOCKED_ROOM       65536u
#define BLOCKED_LEAST_ROOM 16384u

#define BLOCKED_STACK      8u    /* words from the stack pointer upwards */
#define BLOCKED_LONG_STACK 1024u /* bytes */

struct blocked {
	char *memory; /* NULL: there is none */
	uint32_t room;
	uint64_t tail;
	uintptr_t
	    *stack; /* room for BLOCKED_LONG_STACK bytes of the note found; NULL: not wanted */
	uint32_t stack_bytes; /* that are there */
};

struct blocked_at {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uintptr_t ip;     /* address of the next instruction */
	uint64_t argument[3];
	/* In a system call, if the code shows that, too (CPU_CODE_SHOWS_CALLS); else a page fault,
	 * or the processor was taken. */
	bool in_call;
	uint64_t call; /* the register that tells of the call (base/cpu.h) */
	uint64_t stack[BLOCKED_STACK];
	uintptr_t sp, bp, link; /* only with a long stack, which is in the struct blocked */
};

/*
 * Begins the notes of the calling thread, with room for so many bytes. `stack`: as in the struct.
 * False: the kernel refuses.
 */
bool blocked_open(struct blocked *b, uint32_t room, uintptr_t *stack);

/* May be called by any thread of the process. */
void blocked_close(struct blocked *b);

/*
 * Finds where the thread was as it left the processor at `until_ns`, by the latest note up to that
 * time. False: there is no such note, or it is from before `after_ns`. Notes up to `until_ns` are
 * forgotten.
 */
bool blocked_find(struct blocked *b, uint64_t after_ns, uint64_t until_ns, struct blocked_at *at);

#endif
