/* SPDX-License-Identifier: MIT */
/*
 * unwind.h - from the registers and the piece of stack in a sample to the addresses of its callers,
 * by the unwind tables (.eh_frame) of the files that were mapped.
 *
 * Frame pointers would not do: the C library and -O2 programs have none.
 */
#ifndef REPORT_SAMPLER_UNWIND_H
#define REPORT_SAMPLER_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { UNWIND_REGISTERS = 17, UNWIND_SP = 7, UNWIND_PC = 16 }; /* as DWARF numbers them */

struct unwind;

struct unwind_sample {
	uint64_t registers[UNWIND_REGISTERS];
	const unsigned char *stack; /* the bytes from the stack pointer upwards */
	size_t stack_bytes;
};

/* False ends the walk. ADDRESS lies within the call, not behind it. */
typedef bool unwind_frame_fn(void *context, uint64_t address);

struct unwind *unwind_new(pid_t pid);
void unwind_free(struct unwind *u);

/* The file PATH was mapped, its text at ADDRESS from OFFSET of the file. */
void unwind_map(struct unwind *u, const char *path, uint64_t address, uint64_t offset,
		uint64_t bytes);

/* Innermost first. False: the walk broke off before the outermost frame. */
bool unwind_walk(struct unwind *u, const struct unwind_sample *sample, unwind_frame_fn *each,
		 void *context);

/* The file that ADDRESS is mapped from and the address there; NULL where none is. */
const char *unwind_file(const struct unwind *u, uint64_t address, uint64_t *in_file);

#endif
