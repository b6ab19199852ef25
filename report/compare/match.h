/* SPDX-License-Identifier: MIT */
/*
 * match.h - finds which functions of several profiles are the same function, even if the program
 * was built again in between.
 *
 * Zones of one build are one function if they have one number (zones.h). Zones of different builds
 * are matched in rounds, the strictest first; a zone that has been matched takes no part in later
 * rounds:
 *
 *     1  name, source file and module        nothing moved but addresses
 *     2  name and module                     moved to another file
 *     3  name                                moved to another module, or the program was renamed
 *     4  name without gcc's suffixes         f.constprop.0 became f, or f.isra.1
 *     5  machine code, addresses masked      renamed (symbolize_code())
 *
 * Of the paths of files and modules, only the last part is compared. In rounds 3 to 5 a zone is
 * matched only if no other zone of its profile has the same key. A zone without a known name takes
 * part in round 5 only, since its symbols went with its module's file.
 */
#ifndef REPORT_MATCH_H
#define REPORT_MATCH_H

#include "report/core/names/zones.h"

#define MATCH_NONE UINT32_MAX

struct match_row {
	uint64_t sides;   /* a bit for each side that has the function */
	uint32_t zone;    /* in the last side that has it */
	uint32_t earlier; /* its zone on the first side, if the name differs there; else 0 */
};

struct match {
	uint32_t *row_of; /* by zone number: MATCH_NONE, or an index into rows */
	struct match_row *rows;
	size_t count; /* rows[0] is zone 0, the outside */
};

/* SIDES[z]: a bit for each side that has zone z of ZONES. ALL: the bits of all sides. */
void match_zones(struct match *m, const struct zones *zones, const uint64_t *sides, uint64_t all);
void match_free(struct match *m);

#endif
