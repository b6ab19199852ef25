/* SPDX-License-Identifier: MIT */
/*
 * places: a profile by address. A place is an instruction, or a cell of a Forth's thread. Places
 * are written into a listing, a file of text, and lent to zprof as functions, each with its line in
 * the listing. So `zprof annotate --file LISTING` shows each place's runs and cycles beside its
 * line.
 */
#ifndef VM_6502_PLACES_H
#define VM_6502_PLACES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "vm-6502/profile/contexts.h"

/* The counts of a place. count: of the guest's other counter, if it has one. */
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

/* Ends a line of the listing. took: the counts of the place on this line, for a zone of that name.
 * NULL, or no cycles: the line has no zone. */
void places_end_line(struct places *p, const char *name, const struct place *took);

/* Tells zprof of all places. False: not everything could be written. */
bool places_finish(struct places *p);

#endif
