/* SPDX-License-Identifier: MIT */
/*
 * sites.h - the places in a caller's source at which it calls a zone. Interpreters report these
 * places for the zones that they lend.
 *
 * A context has the place of its first call. A pair of zones has the places of all its contexts,
 * each once; filters do not change them.
 */
#ifndef REPORT_SITES_H
#define REPORT_SITES_H

#include "report/core/base/lookup.h"
#include "report/core/base/str.h"

#define SITES_NONE UINT32_MAX

struct site {
	uint32_t caller, callee; /* zones */
	uint32_t line, column;   /* 0: unknown; at least one is known */
	uint32_t next;           /* the pair's next place, further down; SITES_NONE */
};

struct sites {
	struct site *list;
	size_t count, room;
	struct lookup by_pair; /* the first of each pair, by line and column */
};

/* PLACE: line << 12 | column, as in the file; 0: unknown. */
void sites_add(struct sites *s, uint32_t caller, uint32_t callee, uint32_t place);
void sites_free(struct sites *s);

/* The first place of a pair, or SITES_NONE; `next` leads to the others. */
uint32_t sites_find(const struct sites *s, uint32_t caller, uint32_t callee);

/* Appends ` at 20:4, 22:9` to TEXT, at most three places; nothing if there is none. */
void sites_append(struct str *text, const struct sites *s, uint32_t caller, uint32_t callee);

#endif
