/* SPDX-License-Identifier: MIT */
/*
 * options.h - the options that views share: one table, for the parser and for the help.
 *
 * options_table.c lists them: name, commands, help, and what each does. options_take.c has what
 * they do where that is more than to set a member of struct options. options.c parses the command
 * line.
 */
#ifndef REPORT_OPTIONS_H
#define REPORT_OPTIONS_H

#include "report/core/select/filters.h"
#include "report/core/load/load.h"
#include "report/core/base/terminal.h"

struct options {
	char **paths; /* points into argv */
	size_t path_count;
	struct load_set *sets; /* what to load; NULL: paths */
	size_t set_count;
	struct filters filters;
	struct loader_memory asked; /* what options of loaders ask for (loader.h) */
	bool sums; /* the command adds up threads, unless an option asks for parts */
	const char *groups_path, *metric;
	const char *since; /* a file, or "reset"; NULL: from the beginning */
	bool json, flags, live, raw, run, force, apart, by_thread, by_process, by_rank, tree,
	    matrix, no_pager, full_names, no_via, sites, no_sources, waits, sum, sum_ranks, all,
	    folded, markdown, junit, bencher, dry_run, keep_given;
	size_t keep;
	const char *measure;
	const char **fails; /* conditions, in order; they point into argv */
	size_t fail_count, fail_room;
	enum terminal_color color;
	int width; /* -1: not given */
	const char *format, *output, *columns;
	size_t tokens;             /* 0: not given */
	const char **source_paths; /* in order; they point into argv */
	size_t source_path_count, source_path_room;
	uint32_t first_line, last_line; /* 0: not given */
	bool right, counts, marked;
	/* of a live view: */
	size_t prints;  /* how often to print, without a screen; 0: not given */
	double delay_s; /* from one reading to the next; 0: not given */
	const char *view, *average;
};

/* Which options a command takes: sets of the table's. Each has a bit of its own. */
enum {
	OPTIONS_INPUT = 1 << 0,  /* which files, and how names and times are read from them */
	OPTIONS_GROUPS = 1 << 1, /* --groups, --metric */
	OPTIONS_TREE = 1 << 2,   /* restrict and make transparent, --recursion */
	OPTIONS_SELECT = 1 << 3, /* select rows */
	OPTIONS_PARTS = 1 << 4,  /* --by-thread, --by-process */
	OPTIONS_AS_TREE = 1 << 5,
	OPTIONS_MATRIX = 1 << 6,
	OPTIONS_ROWS = 1 << 7,   /* --min, --limit, --sort: for views without functions */
	OPTIONS_BLOCKS = 1 << 8, /* for the call graph's text */
	OPTIONS_TUNE = 1 << 9,
	OPTIONS_APART = 1 << 10, /* no options; marks a command that shows files one by one */
	OPTIONS_DIFF = 1 << 11,
	OPTIONS_OUTPUT = 1 << 12,
	OPTIONS_FORMAT = 1 << 13,
	OPTIONS_TEXT = 1 << 14,  /* --json, --color, --width, --no-pager */
	OPTIONS_FILES = 1 << 15, /* which files: of OPTIONS_INPUT only --run and --force */
	OPTIONS_MERGE = 1 << 16,
	OPTIONS_RANKS = 1 << 17,
	OPTIONS_LIST = 1 << 18, /* of OPTIONS_INPUT only --force */
	OPTIONS_REMOVE = 1 << 19,
	OPTIONS_ANNOTATE = 1 << 20,
	OPTIONS_SOURCES = 1 << 21,
	OPTIONS_BRIEF = 1 << 22,
	OPTIONS_HELP = 1 << 23, /* --help alone */
	OPTIONS_ARCHIVE = 1 << 24,
	OPTIONS_COLUMNS = 1 << 25,
	OPTIONS_LIVE = 1 << 26,
	OPTIONS_FRAMES = 1 << 27,
};

/* Checks the value of an option and puts it into *O. False with a message if it is wrong. */
typedef bool option_take(struct options *o, const char *value, struct str *err);

/* What an option does: one of these. All are 0: it asks for the help. */
struct option_act {
	size_t flag; /* sets a bool: where it is in struct options */
	size_t text; /* keeps its value: where the pointer is */
	option_take *take;
};

struct option_spec {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* NULL: takes none */
	unsigned set;         /* which OPTIONS_ it belongs to */
	const char *kind;     /* heading in the help; NULL: that of the option before */
	struct option_act act;
	const char *help;
};

extern const struct option_spec options_table[]; /* of options_table.c; ends with a name of NULL */

/* A name in the table: the options of loaders (core/load/loader.h) stand there. */
#define OPTIONS_OF_LOADERS ""

/* Option number I of the table, with those of loaders; NULL: there are not so many. */
const struct option_spec *options_at(size_t i);

/*
 * Parses ARGV[1..] by the table's options in SETS. False with a message on a usage error. Sets
 * *HELP at --help, and parses no further.
 */
bool options_parse(struct options *o, unsigned sets, int argc, char **argv, bool *help,
		   struct str *err);
void options_free(struct options *o);

#endif
