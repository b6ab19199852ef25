/* SPDX-License-Identifier: MIT */
/*
 * attribute.h - which function an address counts for: the innermost one there that has hooks in the
 * build with hooks. If none there has hooks, the caller's are looked at.
 */
#ifndef BENCH_TRUTH_ATTRIBUTE_H
#define BENCH_TRUTH_ATTRIBUTE_H

#include <stdbool.h>
#include <stdint.h>

enum attribute_by {
	ATTRIBUTE_INLINED, /* hooks of the source's functions: inlined bodies are told apart */
	ATTRIBUTE_SYMBOLS, /* hooks after inlining: what was inlined belongs to its host */
};

struct attribute;

/* PROGRAM is the build without hooks. */
struct attribute *attribute_new(const char *program, enum attribute_by by);

/* The functions that have hooks: COUNTS is what tests/real/count.c wrote of the program HOOKED. */
bool attribute_read_hooked(struct attribute *a, const char *hooked, const char *counts);

/* The function's number, or -1. ADDRESS is the program file's own. */
int attribute_find(struct attribute *a, uint64_t address);

const char *attribute_name(const struct attribute *a, int function);
int attribute_count(const struct attribute *a);

#endif
