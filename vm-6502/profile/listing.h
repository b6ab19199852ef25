/* SPDX-License-Identifier: MIT */
/*
 * listing: the tables of a guest's profile: flat tables and call graphs of zones, buckets, and
 * listings of counted places, which are instructions, lines of a source or cells of a thread. All
 * numbers stand in columns of the same widths.
 */
#ifndef VM_6502_LISTING_H
#define VM_6502_LISTING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LISTING_COUNT = 12, LISTING_CYCLES = 14, LISTING_SHARE = 7 };

/*
 * A number, or the head of its column, right-aligned; a text as long as the column leaves it empty.
 */
void listing_number(int width, uint64_t number, FILE *to);
void listing_text(int width, const char *text, FILE *to);

/* A share in percent, of what may be 0. */
void listing_share(uint64_t cycles, uint64_t all, FILE *to);

/* What a place has taken. calls: cycles of what it called. */
struct listing_place {
	uint64_t runs, cycles, calls;
};

/*
 * A listing of places: their most cycles, for which the bar is full, and whether there is a column
 * with those of calls.
 */
struct listing {
	uint64_t most;
	bool calls;
	FILE *to;
};

void listing_head(const struct listing *l);

/* The columns of a place, before its text; and those of a line that is not a place. */
void listing_place(const struct listing *l, const struct listing_place *place);
void listing_none(const struct listing *l);

/* The most cycles of `n` structs that lie side by side; cycles: those of the first. At least 1. */
uint64_t listing_most(const uint64_t *cycles, size_t struct_size, size_t n);

#endif
