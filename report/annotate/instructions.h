/* SPDX-License-Identifier: MIT */
/*
 * instructions.h - the instructions of functions, and what each cost (--asm).
 *
 *      calls    here  +-   address  instruction
 *                                   while (r.travelled < limit)            the line of the source
 *             31 ms  3 ms     1a40    vucomisd 0x48(%rsp), %xmm0
 *      x8.2M                  1a4b    callq 0x15e0 <march>
 *
 * `here` is the time on a processor that samples found at an instruction: a context's time is divided
 * among the addresses of its samples, as it is among lines (lines.h), and the sum over the instructions
 * of a line that lie in one function is what the line has as `here`. A processor is interrupted
 * between instructions, so a sample names the instruction that was to come next: the time was often
 * taken by the one before it, or by one that waited for memory. `calls` are exact; they stand at the
 * instruction that the call came from, where the profile knows from where calls were made.
 *
 * A function's time need not lie in one stretch of code: compilers put rare paths elsewhere
 * (`pack.cold`), and functions without hooks that the function calls in its own module are part of
 * its self time. Each such stretch in which samples lie is a part of its own.
 *
 * The bytes are those of the module's file, if it still has the build-id that ran. What a program
 * wrote over its code as it ran, such as the hooks that are switched off, is not in them.
 */
#ifndef REPORT_INSTRUCTIONS_H
#define REPORT_INSTRUCTIONS_H

#include "report/annotate/annotate.h"

struct instruction {
	uint64_t address;    /* in the module's own terms */
	uint32_t size;       /* bytes */
	size_t text;         /* where it begins in the texts of struct instructions */
	uint32_t file, line; /* of the source: number in struct places; 0: unknown */
	uint64_t calls;      /* that were made from it */
	struct cost own;
	bool has_own;
};

/* A stretch of code in which a function was sampled, or from which it made calls. */
struct code_part {
	uint32_t zone; /* the function */
	uint64_t start, size;
	const char *name; /* of a part other than the function's own code; NULL: its own code */
	double weight;    /* the time in it */
	struct instruction *list; /* by address */
	size_t count;
};

struct instructions {
	struct code_part *parts; /* the most expensive first */
	size_t count, room;
	struct str texts; /* of instructions, each with a zero byte behind it */
	struct str why;   /* a sentence: why some have no instructions; "": all have */
};

/* Makes the parts of all functions that A shows, without those in which nothing was found. */
void instructions_make(struct instructions *in, struct annotate *a);
void instructions_free(struct instructions *in);

const char *instructions_text(const struct instructions *in, const struct instruction *i);

/* The text and the JSON of all functions (annotate_instructions.c); returns whether they show any
 * instruction. */
bool annotate_print_instructions(struct annotate *a);
bool annotate_json_instructions(struct annotate *a);

#endif
