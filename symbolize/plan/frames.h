/* SPDX-License-Identifier: MIT */
/*
 * frames.h - the pieces of code that .eh_frame describes (FDEs), and how each finds its CFA: whether
 * a place is *framed*, which means that the CFA is not rsp + 8 there, so that the place is inside a
 * stack frame and not at a function's entry.
 *
 * Formats: Linux Standard Base Core 5.0, chapter 10.6; DWARF 5 section 6.4. (preload/code/cfi.h reads
 * the same of one place in memory, and trusts the tables; this reader goes through all rows of a
 * file, and trusts nothing.)
 */
#ifndef SYMBOLIZE_PLAN_FRAMES_H
#define SYMBOLIZE_PLAN_FRAMES_H

#include "symbolize/plan/module.h"

/* One FDE. Positions are within .eh_frame. */
struct frames_fde {
	uint32_t start, bytes; /* the code */
	uint32_t cie;          /* number of its CIE */
	uint32_t rules, rules_end;
};

struct frames_cie {
	uint32_t at; /* its position */
	uint32_t rules, rules_end;
	uint64_t code_factor;
	uint8_t encoding;
	bool augmented, signal;
};

struct frames {
	const uint8_t *bytes;
	uint32_t size, base; /* `base` is the section's offset in the image */
	uint64_t low;
	struct frames_cie *cies;
	struct frames_fde *fdes; /* sorted by start, without two at one start */
	size_t cie_count, fde_count;
};

/* False: the section makes no sense, or memory is short. frames_free() in both cases. */
bool frames_read(struct frames *f, const struct module *m);
void frames_free(struct frames *f);

/* The rows of an FDE, from its start on. */
struct frames_rows {
	const struct frames *frames;
	const struct frames_cie *cie;
	uint32_t at, end;
	uint64_t here, next; /* the current row is of [here, next) */
	struct {
		uint64_t reg, offset;
		bool expression;
	} cfa, kept[8];
	unsigned kept_count;
	bool outermost; /* a row so far makes the return address undefined */
};

void frames_rows_begin(struct frames_rows *r, const struct frames *f, const struct frames_fde *fde);

/*
 * How the CFA is found at OFFSET, which must not be before an earlier one: two places with equal
 * numbers have one rule. FRAMES_AT_ENTRY is rsp + 8; FRAMES_OTHER stands for all rules that are not a
 * register and a distance.
 */
#define FRAMES_AT_ENTRY (UINT64_C(7) << 56 | 8)
#define FRAMES_OTHER    UINT64_MAX
uint64_t frames_rule(struct frames_rows *r, uint64_t offset);

/* Whether OFFSET is framed. */
static inline bool frames_framed(struct frames_rows *r, uint64_t offset)
{
	return frames_rule(r, offset) != FRAMES_AT_ENTRY;
}

#endif
