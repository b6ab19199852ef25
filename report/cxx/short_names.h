/* SPDX-License-Identifier: MIT */
/*
 * short_names.h - short forms of all names of a profile, no two of them alike.
 *
 * Each name gets its form of short_name.h. Where two forms are alike, both show more: first the
 * arguments in which the two names differ, then return types, then what the plain form leaves out.
 */
#ifndef REPORT_SHORT_NAMES_H
#define REPORT_SHORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* One name; SHORTENED is the result, for free(). */
struct short_names_of {
	const char *name;
	bool as_is; /* the name is not C++: the form is the name itself */
	char *shortened;
};

/* Sets the short forms. Only names that are equal may have equal forms. */
void short_names(struct short_names_of *names, size_t count);

#endif
