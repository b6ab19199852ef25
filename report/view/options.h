/* SPDX-License-Identifier: MIT */
/*
 * options.h - the options that views share: one table, for the parser and for the help.
 */
#ifndef REPORT_OPTIONS_H
#define REPORT_OPTIONS_H

#include "report/model/filters.h"
#include "report/base/terminal.h"

struct options {
	char **paths; /* points into argv */
	size_t path_count;
	struct filters filters;
	const char *groups_path, *metric;
	bool json, flags, raw, run, force, apart, by_thread, tree, matrix, no_pager, full_names,
	    no_via, sites;
	enum terminal_color color;
	int width; /* -1: not given */
};

/* Which options a command takes. */
enum {
	OPTIONS_INPUT = 1,  /* --json, --raw, --color, --width, --no-pager */
	OPTIONS_GROUPS = 2, /* --groups, --metric */
	OPTIONS_TREE = 4,   /* restrict and make transparent, --recursion */
	OPTIONS_SELECT = 8, /* rows */
	OPTIONS_BY_THREAD = 16,
	OPTIONS_AS_TREE = 32,
	OPTIONS_MATRIX = 64,
	OPTIONS_TUNE = 512,
	OPTIONS_APART = 1024, /* no options; marks a command that shows files one by one */
	OPTIONS_BLOCKS = 256, /* for the call graph's text */
	OPTIONS_ROWS = 128,   /* --min, --limit, --sort: for views without functions */
};

struct option_spec {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* NULL: takes none */
	unsigned set;         /* which OPTIONS_ it belongs to */
	const char *kind;     /* heading in the help; NULL: that of the option before */
	bool (*take)(struct options *o, const char *value, struct str *err);
	const char *help;
};

extern const struct option_spec options_table[]; /* ends with a name of NULL */

/*
 * Parses ARGV[1..] by the table's options in SETS. False with a message on a usage error. Sets
 * *HELP at --help, and parses no further.
 */
bool options_parse(struct options *o, unsigned sets, int argc, char **argv, bool *help,
		   struct str *err);
void options_free(struct options *o);

#endif
