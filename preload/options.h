/* SPDX-License-Identifier: MIT */
/*
 * options.h - ZPROF_OPTIONS="key=value,key=value", where `\,` stands for a comma in a value.
 *
 * The strings point into a private copy. An unknown key or a bad value is told in one line on
 * stderr, and the program runs on unprofiled: better no numbers than numbers of something else than
 * what was asked for.
 */
#ifndef ZPROF_OPTIONS_H
#define ZPROF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define OPTIONS_BYTES 8192
#define OPTIONS_MAX_NODES                                                                          \
	(16u * 1024 * 1024 - 65536) /* what 512 MiB of 32-byte nodes hold, less what is not nodes  \
				     */
#define OPTIONS_MAX_NODES_DEFAULT (4u * 1024 * 1024)

struct options {
	const char *output; /* pattern of the file's name: %p %e %h %r %% */
	const char *report; /* NULL: none; "1": call graph on stderr when the first process ends;
			       else a file to write it to */
	const char
	    *only; /* NULL: all zones; else what to record (patterns, group:G), space-separated */
	const char *
	    groups; /* the groups file for `only` and `report`; NULL: zprof.groups here, if there */
	const char *metric; /* for `report` */
	uint32_t mode;      /* enum zprof_mode: times and counts, or counts only */
	uint32_t max_nodes; /* the budget of contexts */
	uint32_t recursion; /* zones open more often than this are folded (fold.h); 0: see there */
	uint32_t
	    check; /* compare the zone stack with the real one at every check-th event; 0: never */
	bool verbose; /* say on stderr where the profile is */
	bool asks_adaptive; /* clock=adaptive was given, which means clock=count now */
	char text[OPTIONS_BYTES];
	char raw[OPTIONS_BYTES]; /* as given, for the profile */
};

/* Parses `value` (may be NULL: all defaults). False: something was wrong and has been said. */
bool options_parse(struct options *options, const char *value);

#endif
