/* SPDX-License-Identifier: MIT */
/*
 * unwind.h - finds the callers of a sample, from its registers and the top of its stack, by the
 * unwind tables (.eh_frame) of the mapped files.
 *
 * Frame pointers would not do: the C library and programs built with -O2 have none.
 */
#ifndef REPORT_SAMPLER_UNWIND_H
#define REPORT_SAMPLER_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "report/second_run/registers.h"

struct rings_sample;
struct unwind;

struct unwind_sample {
	uint64_t registers[REGISTERS_MOST]; /* as DWARF numbers them */
	const unsigned char *stack;         /* the bytes from the stack pointer upwards */
	size_t stack_bytes;
};

/* Called for each frame; returning false ends the walk. ADDRESS lies within the call, not behind
 * it. */
typedef bool unwind_frame_fn(void *context, uint64_t address);

struct unwind *unwind_new(pid_t pid);
void unwind_free(struct unwind *u);

/* Learns that code of the file PATH was mapped at ADDRESS, from OFFSET in the file. */
void unwind_map(struct unwind *u, const char *path, uint64_t address, uint64_t offset,
		uint64_t bytes);

/* A sample whose abi is not 0, as the kernel has stored it: the stack stays there. */
struct unwind_sample unwind_read(const struct rings_sample *sample);

/* Walks from the innermost frame outwards. False: the walk broke off before the outermost frame. */
bool unwind_walk(struct unwind *u, const struct unwind_sample *sample, unwind_frame_fn *each,
		 void *context);

/* The file that is mapped at ADDRESS, and the address in that file; NULL: none is mapped. */
const char *unwind_file(const struct unwind *u, uint64_t address, uint64_t *in_file);

/* Whether the last walk ended because the sample has too little of the stack. libdw takes that for
 * the outermost frame. */
bool unwind_was_cut(const struct unwind *u);

/* A file that is mapped. */
struct unwind_file {
	const char *path;
	uint64_t bias, start, end; /* addresses of all that is mapped from the file */
};

/* What is mapped at ADDRESS; false: no file. */
bool unwind_file_at(const struct unwind *u, uint64_t address, struct unwind_file *file);

/* Where the function at ADDRESS begins, by the unwind tables; 0: unknown. */
uint64_t unwind_function(struct unwind *u, uint64_t address);

#endif
