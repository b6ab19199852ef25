/* SPDX-License-Identifier: MIT */
/*
 * via.h - the ways from callers to callees: code between two zones that was not instrumented.
 *
 * The library unwinds the stack when a pair of zones is first seen, and not again; so a way belongs
 * to the pair, whatever contexts a filter leaves of it. Names are looked up only when they are
 * asked for: most views show none, and libc's debug information is large.
 */
#ifndef REPORT_VIA_H
#define REPORT_VIA_H

#include "report/model/zones.h"

#define VIA_NONE UINT32_MAX
#define VIA_WAYS 4 /* that differ, kept of a pair: to say that there are more, one is enough */

/* A return address; in the module's own terms where it is in one. */
struct via_step {
	uint32_t module; /* index into zones.modules, ZONE_NO_MODULE */
	uint64_t address;
};

/* steps[first, first + count), the innermost first. */
struct via_way {
	uint32_t caller, callee; /* zones; caller 0: a thread's outermost */
	uint32_t first, count;
	uint32_t next; /* another way of the same pair, VIA_NONE */
	bool whole;    /* it reaches up to the caller */
};

struct vias {
	struct via_way *ways;
	size_t count, room;
	struct via_step *steps;
	size_t step_count, step_room;
	struct lookup by_pair; /* the first way of each pair */
};

/* Adds the way V of M's profile, unless the pair has it already. */
void vias_add(struct vias *vias, struct zones_of_profile *m, const struct profile_via *v,
	      uint32_t caller, uint32_t callee);
void vias_free(struct vias *vias);

struct via_name {
	char *text;
	char *module; /* the last part of its path, "" for none */
	bool known;   /* else the text is no name but an address */
};

/* A way by names, outermost first; a function that called itself is named once. */
struct via_names {
	struct via_name *list;
	size_t count, room;
	bool whole;  /* the first was called by the caller itself */
	bool others; /* other contexts came another way */
};

/*
 * The way from CALLER to CALLEE; false when there is none, or none is known, and then N needs no
 * freeing.
 */
bool vias_names(const struct vias *vias, const struct zones *zones, uint32_t caller,
		uint32_t callee, struct via_names *n);
void via_names_free(struct via_names *n);

/* Adds ` via qsort_r > msort_with_tmp` to TEXT, where there is something to say. */
void via_append(struct str *text, const struct vias *vias, const struct zones *zones,
		uint32_t caller, uint32_t callee, bool full_names);

/*
 * `qsort_r > msort_with_tmp`: three names at most. FROM_OUTSIDE leaves out how every process and
 * every thread starts, so the text may be "" for those that start like that.
 */
void via_text(struct str *text, const struct via_names *n, bool from_outside, bool full_names);

#endif
