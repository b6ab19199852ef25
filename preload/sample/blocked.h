/* SPDX-License-Identifier: MIT */
/*
 * blocked.h - where the program was each time that a thread left the processor (offcpu=1).
 *
 * A second event (event.h) notes the thread's switches, each with the registers that the program
 * had: behind which instruction it is, and the first arguments of a system call. The event has a
 * ring of its own, beside the one that says when the thread left and came back (ring.h), and the
 * same clock:
 *
 *     ring     ... left 7.002 ......... back 9.150 ... left 9.300
 *     blocked  ... 7.001 in read(3)  ................. 9.299 in futex(0x404060)
 *
 * So the program's system call is known without intercepting any function. Such a switch happens
 * in the kernel, and the kernel reports it only to processes that may look into the kernel (the
 * samples are then ZPROF_SAMPLER_KERNEL's).
 */
#ifndef ZPROF_BLOCKED_H
#define ZPROF_BLOCKED_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes for its notes; a note takes 144. */
#define BLOCKED_ROOM       65536u
#define BLOCKED_LEAST_ROOM 16384u

#define BLOCKED_STACK 8u /* words from the stack pointer upwards */

struct blocked {
	char *memory; /* NULL: there is none */
	uint32_t room;
	uint64_t tail;
};

struct blocked_at {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uintptr_t ip;     /* of the next instruction */
	uint64_t argument[3];
	bool in_call; /* in a system call; else a page fault, or another had the processor */
	uint64_t stack[BLOCKED_STACK];
};

/* Notes of the calling thread begin, with room for so many bytes. False: there are none. */
bool blocked_open(struct blocked *b, uint32_t room);

/* By any thread of the process. */
void blocked_close(struct blocked *b);

/*
 * Where the thread was as it left the processor at `until_ns`: what the latest note up to then
 * says. False: there is none, or it is of a time before `after_ns`. Notes up to `until_ns` are
 * forgotten.
 */
bool blocked_find(struct blocked *b, uint64_t after_ns, uint64_t until_ns, struct blocked_at *at);

#endif
