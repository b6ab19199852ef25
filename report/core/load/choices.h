/* SPDX-License-Identifier: MIT */
/*
 * choices.h - which functions were not watched, and when. zprof_unwatch() and 'zprof unwatch' write
 * these choices into a profile (preload/format.h, struct zprof_choice).
 *
 * The time of an unwatched function goes to its caller, and its calls are not counted. A report
 * says so in its head, behind the function's name, and in a row `(unwatched)`.
 */
#ifndef REPORT_CHOICES_H
#define REPORT_CHOICES_H

#include "report/core/pattern/groups.h"
#include "report/core/read/profile_read.h"

/* The name of that row. */
#define CHOICES_ROW "(unwatched)"

/* A choice of one process, and its patterns. */
struct choice {
	bool watch;
	double at_ns; /* since the recording of the process began */
	bool over;    /* a later choice of the same patterns, or of all, took its place */
	uint32_t functions;
	char *text;
	struct patterns patterns;
};

struct choices {
	struct choice *list;
	size_t count, room;
};

/* Adds the choices of P. */
void choices_add(struct choices *c, const struct profile *p);
void choices_free(struct choices *c);

/* The choice that left a zone unwatched at the end; NULL: the zone was watched. */
const struct choice *choices_unwatched(const struct choices *c, const struct groups *g,
				       const struct zones *zones, uint32_t zone);

/* If choice I unwatches and is in force at the end, adds "2 functions since 1.20 s (leaf mid*)";
 * else false. */
bool choices_in_force(const struct choices *c, size_t i, struct str *text);

/* Adds a note that lists the latest choices, and says how many came before. */
void choices_note(const struct profile *p, char ***notes, size_t *count);

#endif
