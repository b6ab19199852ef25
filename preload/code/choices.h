/* SPDX-License-Identifier: MIT */
/*
 * choices.h - the choices made while the program runs, by zprof_watch() and zprof_unwatch().
 *
 * The latest choice that a function matches says whether the function is recorded. So choices are
 * rules, in the order in which they were made, one line each:
 *
 *     -sqlite3V* aim          do not record these functions
 *     +sqlite3VdbeExec        but record this one
 *
 * An earlier rule whose patterns are those of a later rule has no effect any more, and is taken
 * out: a function that is chosen and left out a million times is one rule. In the profile each rule
 * is a record with its time, and no record is taken out.
 */
#ifndef ZPROF_CHOICES_H
#define ZPROF_CHOICES_H

#include "preload/format.h"

#include <stdbool.h>
#include <stddef.h>

#define CHOICES_BYTES 65536u

struct process;
struct zprof_section;

struct choices {
	char *rules; /* of CHOICES_BYTES; NULL: there are none */
	struct zprof_section *section;
};

/*
 * The rules of `c` and one more, as a new text of CHOICES_BYTES. NULL: no memory, or the text is
 * full.
 */
char *choices_with(const struct choices *c, enum zprof_choice_what what, const char *patterns);

/* Frees a text from choices_with(). */
void choices_free(char *rules);

/* Writes a choice into the profile, with the number of functions that match. False: no room. */
bool choices_record(struct process *p, struct choices *c, const struct zprof_choice *choice,
		    const char *patterns);

/*
 * In a forked child, takes over the parent's choices. Their records in the child's profile have the
 * time at which that profile begins.
 */
void choices_inherit(struct process *p, struct choices *c, const struct choices *from);

#endif
