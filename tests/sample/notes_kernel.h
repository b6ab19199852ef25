/* SPDX-License-Identifier: MIT */
/*
 * notes_kernel.h - a kernel with one thread, which runs, waits and is sampled as a row says, and
 * writes what the real one would write.
 *
 * Its clocks stand still unless a row moves them. When the library asks this kernel for something,
 * kernel_met() hears of it first, so that a row can have things happen right there.
 */
#ifndef ZPROF_TEST_NOTES_KERNEL_H
#define ZPROF_TEST_NOTES_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_TICKS_PER_NS 3u /* of the clock that hooks read */
#define KERNEL_BEGAN_NS     5000000000u
#define KERNEL_IN_PROGRAM   0x400000u
#define KERNEL_IN_HOOK      0x10010u

enum kernel_point {
	KERNEL_READ,     /* bytes of a ring */
	KERNEL_TICKS,    /* the clock of the hooks, beside CLOCK_MONOTONIC */
	KERNEL_CLOCK,    /* CLOCK_MONOTONIC */
	KERNEL_CPU,      /* the thread's CPU time */
	KERNEL_SWITCHES, /* how often it was away */
	KERNEL_QUEUE,    /* how long it was ready to run */
	KERNEL_OPEN,     /* a ring */
	KERNEL_POINTS,
};

struct kernel {
	uint64_t now_ns, cpu_ns, queued_ns;
	uint64_t sampled_ns; /* the clock of samples: CPU time, and what the host took */
	uint64_t waits, preemptions;
	bool masked;
	int refuse;   /* errno ... */
	int refusals; /* ... for so many rings more */
	bool refuses_stacks;
	/* The ring of samples; room is 0: there is none. */
	uint32_t room, most, noted; /* samples at most (0: without end), and so far */
	bool with_kernel;           /* samples also tell of the kernel */
	uint32_t stack_bytes;       /* that a sample carries of the stack */
	uint64_t place;             /* each word of the stack; 0: a sample's stack cannot be read */
	uint64_t opened_ns;         /* the clock of samples, then */
	uint64_t lost;              /* notes, since the latest one that found room */
	uint32_t rings;             /* of samples, that have been opened so far */
	uint32_t blocked_room;      /* the ring of registers at switches */
	uint32_t blocked_stack;     /* bytes of the stack there */
};

extern struct kernel kernel;

void kernel_begin(void);

/* Defined by who plays the rows. */
void kernel_met(enum kernel_point point);

/* Bytes of a note, whose size they say, if there is room; *BYTES are such as the ring holds. */
void kernel_write(const void *note, uint32_t bytes);

/* The same, though the note says that it is longer or shorter. */
void kernel_write_torn(uint32_t bytes, uint32_t said);

void kernel_sample(uintptr_t ip, bool in_kernel);

/* The program's registers at each sample. */
#define KERNEL_SP 0x7000u
#define KERNEL_BP 0x7008u

/* It leaves the processor, at IP; in a system call, if IN_CALL. */
void kernel_leaves(bool preempted, uintptr_t ip, bool in_call);
void kernel_returns(void);

#endif
