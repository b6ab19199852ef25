/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - how users name zones: a glob, /an extended regular expression/ or a range of
 * addresses, matched against a zone's name, file or module.
 *
 *     scan_*                  a function: its name, or the name from any '::' on, with or without
 *                             its parameters and the last <arguments>; or as the linker sees it
 *     /^scan_(word|line)$/    by a regular expression, which matches anywhere in the whole name,
 *                             with or without its parameters
 *     src/scan*.c             a file, or module: its whole path, or the path from any '/' on
 *     libc.so.6:0x1000-0x2000 a range of addresses in the module's own terms, the end not included
 */
#ifndef REPORT_PATTERN_H
#define REPORT_PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"

enum pattern_of { PATTERN_FUNC, PATTERN_FILE, PATTERN_MODULE, PATTERN_ADDR, PATTERN_GROUP };

/* The texts that patterns are matched against; none is NULL. */
struct pattern_subject {
	const char *name, *linkage, *file, *module;
	uint64_t address; /* in the module's own terms */
};

struct pattern {
	enum pattern_of of;
	char *text; /* the glob; for a range, its module's glob; for a group, its name */
	bool is_regex;
	regex_t regex;
	uint64_t low, high;
};

struct patterns {
	struct pattern *list;
	size_t count, room;
};

/* Adds a pattern; false with a message if TEXT is not a valid one. */
bool pattern_list_add(struct patterns *p, enum pattern_of of, const char *text, struct str *err);

/* Adds a pattern; a prefix `group:`, `file:` or `module:` of TEXT says what the pattern is matched
 * with. */
bool pattern_list_add_prefixed(struct patterns *p, const char *text, struct str *err);

void pattern_list_free(struct patterns *p);

/* Whether P matches S. Callers handle groups: a PATTERN_GROUP matches nothing here. */
bool pattern_matches(const struct pattern *p, const struct pattern_subject *s);

#endif
