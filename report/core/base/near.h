/* SPDX-License-Identifier: MIT */
/*
 * near.h - "did you mean": names that resemble one that was not found.
 *
 *     struct near n;
 *     near_init(&n, "nromalise");
 *     near_try(&n, "normalise", "corpus::normalise");      for every known name
 *     near_add(&n, &message);                              ` (did you mean 'corpus::normalise'?)`
 */
#ifndef REPORT_NEAR_H
#define REPORT_NEAR_H

#include "report/core/base/str.h"

#define NEAR_NAMES 3

struct near {
	char *word; /* without the stars of a glob, lower case */
	size_t length;
	struct near_name {
		char *text;
		size_t distance;
	} best[NEAR_NAMES]; /* the nearest first */
	size_t count;
};

void near_init(struct near *n, const char *word);

/* Remembers SHOWN as a name that might be meant, if NAME resembles the word. */
void near_try(struct near *n, const char *name, const char *shown);

/* Adds ` (did you mean ...?)` to TO, or nothing if no name resembles the word. Frees N's texts. */
void near_add(struct near *n, struct str *to);

#endif
