/* SPDX-License-Identifier: MIT */
/*
 * sites.h - where in a caller's source a zone was called from: what interpreters say of the zones
 * they lend.
 *
 * A context has the place it was first called from; a pair of zones has those of all its contexts,
 * each once, whatever contexts a filter leaves of it.
 */
#ifndef REPORT_SITES_H
#define REPORT_SITES_H

#include "report/base/lookup.h"
#include "report/base/str.h"

#define SITES_NONE UINT32_MAX

struct site {
	uint32_t caller, callee; /* zones */
	uint32_t line, column;   /* 0: unknown; not both */
	uint32_t next;           /* another of the same pair, further down; SITES_NONE */
};

struct sites {
	struct site *list;
	size_t count, room;
	struct lookup by_pair; /* the first of each pair, by line and column */
};

/* PLACE: line << 12 | column, as the file has it; 0 is none. */
void sites_add(struct sites *s, uint32_t caller, uint32_t callee, uint32_t place);
void sites_free(struct sites *s);

/* The first of a pair, to be followed by next; SITES_NONE. */
uint32_t sites_find(const struct sites *s, uint32_t caller, uint32_t callee);

/* ` at 20:4, 22:9` behind TEXT, three at most; nothing where there is none. */
void sites_append(struct str *text, const struct sites *s, uint32_t caller, uint32_t callee);

#endif
