/* SPDX-License-Identifier: MIT */
/*
 * places: a profile by address: what each instruction, or each cell of a Forth's thread, took. They
 * are written into a listing, a file of text, and lent to zprof as functions, each with its line of
 * that file, so `zprof annotate --file LISTING` shows their runs and cycles beside them.
 */
#ifndef VM_6502_PLACES_H
#define VM_6502_PLACES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "vm-6502/profile/contexts.h"

/* What a place has taken. count: of the guest's other counter, if it has one. */
struct place {
	uint64_t runs, cycles, count;
};

struct zprof_counted;

struct places {
	FILE *to; /* write the text of a line there, and then call places_end_line() */
	const char *path;
	struct contexts *zones;
	uint32_t line;
	struct zprof_counted *counted;
	uint32_t used, room;
	uint64_t cycles, count; /* of all places so far */
};

/* False, with a message in err: the listing cannot be written, or zprof doesn't take sums. */
bool places_begin(struct places *p, struct contexts *zones, const char *path, char *err,
		  size_t size);

/* Ends a line of the listing. took: what was taken there, under that name; NULL, or no cycles:
 * nothing. */
void places_end_line(struct places *p, const char *name, const struct place *took);

/* Tells zprof of all places. False: not everything could be written. */
bool places_finish(struct places *p);

#endif
