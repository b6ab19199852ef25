/* SPDX-License-Identifier: MIT */
/*
 * via.h - the ways from callers to callees: the functions without hooks between two zones.
 *
 * The library finds a way by unwinding the stack when it first sees a pair of zones. So a way
 * belongs to the pair, and filters do not change it. Names of the functions are looked up only on
 * demand, because most views show none, and libc's debug information is large.
 */
#ifndef REPORT_VIA_H
#define REPORT_VIA_H

#include "report/core/names/facts.h"

#define VIA_NONE UINT32_MAX
#define VIA_WAYS 4 /* different ways kept per pair; reports only say that there are others */

/* A return address; in the module's own terms if it is in a module. */
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

/* Adds the way V of M's profile, unless the pair already has it. */
void via_add(struct vias *vias, struct zones_of_profile *m, const struct profile_via *v,
	     uint32_t caller, uint32_t callee);
void via_free(struct vias *vias);

/* The first way from CALLER to CALLEE, or VIA_NONE; `next` leads to the others. */
uint32_t via_find(const struct vias *vias, uint32_t caller, uint32_t callee);

/* The linkage name of the code that a signal handler returns to. */
#define VIA_TRAMPOLINE "__restore_rt"

/* NAME becomes the function of a step in a module; true if that is a signal's trampoline. */
bool via_step_name(const struct zones *zones, const struct via_step *step, struct fact_name *name);

struct via_name {
	char *text;
	char *module; /* the last part of its path, "" for none */
	bool known;   /* false: the text is an address */
};

/* A way as names, outermost first. A function that called itself is named once. */
struct via_names {
	struct via_name *list;
	size_t count, room;
	bool whole;  /* the caller itself called the first of the list */
	bool others; /* other contexts took other ways */
};

/* N becomes the way from CALLER to CALLEE. False if there is none or it is unknown; N then needs no
 * freeing. */
bool via_names_of(const struct vias *vias, const struct zones *zones, uint32_t caller,
		  uint32_t callee, struct via_names *n);
void via_names_free(struct via_names *n);

/* Adds ` via qsort_r > msort_with_tmp` to TEXT, if there is a way to show. */
void via_append(struct str *text, const struct vias *vias, const struct zones *zones,
		uint32_t caller, uint32_t callee, bool full_names);

/* Adds a way as `qsort_r > msort_with_tmp`, with at most three names. FROM_OUTSIDE leaves out the
 * functions that start every process or thread, so the text may be empty. */
void via_text(struct str *text, const struct via_names *n, bool from_outside, bool full_names);

#endif
