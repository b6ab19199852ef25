/* SPDX-License-Identifier: MIT */
/*
 * options.h - the options of commands, in tables: the parser, the help, the manual pages and the
 * completion read the same tables.
 *
 * A command has one table, in the order of its help. A row is an option of the command's own, or
 * stands for a table that several commands share (options_shared.h, or a feature's header). The
 * value of a shared option goes into struct options; the value of a command's own option goes into
 * a struct of that command, to which `own` points. A feature may add options to the commands of
 * other features: they stand where a command's table has OPTIONS_OF_EACH, which asks a registry.
 *
 *     static const struct option_spec table[] = {
 *         OPTIONS_OF(options_profiles),
 *         {'o', "output", "FILE", "Output", OPTION_TEXT(output), "write to FILE"},
 *         {0, "flags", NULL, NULL, OPTION_OWN_FLAG(tune_options, flags), "print only the flags"},
 *         OPTIONS_OF(options_terminal),
 *         OPTIONS_END,
 *     };
 */
#ifndef REPORT_OPTIONS_H
#define REPORT_OPTIONS_H

#include <stddef.h>

#include "report/core/select/filters.h"
#include "report/core/load/load.h"
#include "report/core/base/terminal.h"

struct options {
	char **paths; /* the words that are no options; points into argv */
	size_t path_count;
	char **program;        /* the program and its arguments behind `--`; NULL: none */
	struct load_set *sets; /* what to load; NULL: paths */
	size_t set_count;
	struct filters filters;
	struct loader_memory asked; /* values of the options that loaders have (loader.h) */
	bool sums;  /* the command adds up threads, unless an option asks for parts */
	bool apart; /* the command shows files one by one */
	bool
	    cpu_first; /* the command shows processor time, unless --time or a profile says otherwise */
	const char *time; /* of --time: a name of times/measure.h; NULL: not given */
	bool help;
	const char *groups_path, *metric;
	const char *since; /* a file, or "reset"; NULL: from the beginning */
	const char *output, *columns;
	bool json, raw, run, force, by_thread, by_process, by_rank, tree, no_pager, full_names,
	    waits, all, counts, marked, below;
	enum terminal_color color;
	int width;                 /* -1: not given */
	const char **source_paths; /* in order; they point into argv */
	size_t source_path_count, source_path_room;
	uint32_t first_line, last_line; /* 0: not given */
	void *own;                      /* the command's struct (command.h); NULL: it has none */
};

/* Whether a line of the source is selected by --lines. */
static inline bool options_want_line(const struct options *o, uint32_t line)
{
	return !o->last_line || (line >= o->first_line && line <= o->last_line);
}

/* Checks the value of an option and puts it into *O. False with a message if it is wrong. */
typedef bool option_take(struct options *o, const char *value, struct str *err);

/* What the parser does with an option; the macros below make it. All zeros: it asks for the help. */
struct option_act {
	enum {
		OPTION_ASKS,
		OPTION_SETS,
		OPTION_KEEPS,
		OPTION_MATCHES,
		OPTION_MATCHES_OF,
		OPTION_TAKES,
		OPTION_MAY_TAKE
	} what;
	bool own;           /* the member to set is in the command's own struct */
	size_t at;          /* the member's offset: a bool, a pointer to the value, or patterns */
	enum pattern_of of; /* what a pattern of OPTION_MATCHES_OF matches */
	option_take *take;
	/* The values that the shell offers: words between spaces; OPTION_FUNCTIONS; or word number
	 * I, up to a NULL. NULL: none are known. */
	const char *words, *(*word_at)(size_t i);
	/* The row stands for these rows; or for those of each of these tables, up to a NULL. */
	const struct option_spec *table, *(*tables)(size_t i);
};

struct option_spec {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* NULL: takes none */
	const char *heading;  /* in the help; NULL: that of the option before */
	struct option_act act;
	const char *help;
};

#define OPTION_ACT(...)     ((struct option_act){__VA_ARGS__})
#define OPTION_HELP         OPTION_ACT(.what = OPTION_ASKS)
#define OPTION_FLAG(member) OPTION_ACT(.what = OPTION_SETS, .at = offsetof(struct options, member))
#define OPTION_TEXT(member) OPTION_ACT(.what = OPTION_KEEPS, .at = offsetof(struct options, member))
#define OPTION_OWN(does, type, member)                                                             \
	OPTION_ACT(.what = does, .own = true, .at = offsetof(struct type, member))
#define OPTION_OWN_FLAG(type, member) OPTION_OWN(OPTION_SETS, type, member)
#define OPTION_OWN_TEXT(type, member) OPTION_OWN(OPTION_KEEPS, type, member)
/* The value is one more pattern; it matches names, unless its prefix or KIND says otherwise. */
#define OPTION_PATTERN(member)                                                                     \
	OPTION_ACT(.what = OPTION_MATCHES, .at = offsetof(struct options, filters.member))
#define OPTION_PATTERN_OF(member, kind)                                                            \
	OPTION_ACT(.what = OPTION_MATCHES_OF, .of = kind,                                          \
		   .at = offsetof(struct options, filters.member))
#define OPTION_TAKE(function) OPTION_ACT(.what = OPTION_TAKES, .take = function)
/* As OPTION_TAKE and the like; the shell offers LIST, or what a function gives, as values (act.words). */
#define OPTION_TAKE_WORD(function, list)                                                           \
	OPTION_ACT(.what = OPTION_TAKES, .take = function, .words = list)
#define OPTION_TEXT_WORD(member, list)                                                             \
	OPTION_ACT(.what = OPTION_KEEPS, .at = offsetof(struct options, member), .words = list)
#define OPTION_OWN_WORD(type, member, list)                                                        \
	OPTION_ACT(.what = OPTION_KEEPS, .own = true, .at = offsetof(struct type, member),         \
		   .words = list)
#define OPTION_OWN_WORD_AT(type, member, function)                                                 \
	OPTION_ACT(.what = OPTION_KEEPS, .own = true, .at = offsetof(struct type, member),         \
		   .word_at = function)
#define OPTION_MAYBE_WORD(function, list)                                                          \
	OPTION_ACT(.what = OPTION_MAY_TAKE, .take = function, .words = list)
#define OPTION_FUNCTIONS "<functions>" /* in place of words: those of the newest profile */
/* The option may have a value, as --NAME=VALUE; FUNCTION is given NULL for --NAME alone. */
#define OPTION_MAYBE(function) OPTION_ACT(.what = OPTION_MAY_TAKE, .take = function)

#define OPTIONS_ROW(...)           ((struct option_spec){__VA_ARGS__})
#define OPTIONS_UNDER(words, rows) OPTIONS_ROW(.heading = words, .act = {.table = rows})
#define OPTIONS_OF(rows)           OPTIONS_UNDER(NULL, rows)
/* The tables that a registry of features lists: TABLES_AT(I) is table number I, NULL behind the last. */
#define OPTIONS_OF_EACH(tables_at) OPTIONS_ROW(.act = {.tables = tables_at})
#define OPTIONS_END                OPTIONS_ROW(0)

/* An option, and the heading above it in the help; "": none. */
struct option_row {
	const struct option_spec *option;
	const char *heading;
};

/* The options of TABLE and of all tables in it, in order; free() the list. Its last option is NULL. */
struct option_row *options_flatten(const struct option_spec *table);

/* Where a command may have words that are no options, and what these words are. */
enum option_words {
	WORDS_ANYWHERE,   /* they may stand between options */
	WORDS_SIDES,      /* anywhere; each `--` stays among them, for options_is_between() */
	WORDS_OR_PROGRAM, /* anywhere; the words behind `--` are `program` */
	WORDS_PROGRAM,    /* a program and its arguments: the first of them ends the options */
};

/*
 * Parses ARGV[1..]. False with a message on a usage error. At --help it sets `help` and parses no
 * further. Who types - for a _ in an option's name is understood.
 */
bool options_parse(struct options *o, const struct option_spec *table, enum option_words words,
		   int argc, char **argv, struct str *err);
void options_free(struct options *o);

/* Whether a word of WORDS_SIDES is a `--`, which divides them. */
bool options_is_between(const char *word);

/* VALUE as a whole number from 0 to MOST; false if it is none. */
bool options_number(const char *value, unsigned long most, unsigned long *number);
/* VALUE as a count of 1 or more; 0 with a message, in which WHAT names what is counted. */
unsigned long options_count(const char *what, const char *value, struct str *err);
/* The place of VALUE among WORDS, which stand between spaces. -1 with a message that names the option
 * and all words, and proposes the nearest. */
int options_word(const char *option, const char *words, const char *value, struct str *err);

#endif
