/* SPDX-License-Identifier: MIT */
/*
 * options.h - the options of commands: tables, for the parser, the help, the manual pages and the
 * completion.
 *
 * A command has one table, in the order of its help: of its own options, and of the tables that it
 * shares with other commands (options_shared.h; a feature may have some, too). What an option says is
 * put into struct options if several commands ask for it; else into a struct of the command's own,
 * to which `own` points. What a feature adds to commands of others stands where their tables have
 * OPTIONS_OF_EACH, which asks a registry.
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
	char **program;        /* and its arguments: what is behind `--`; NULL: nothing */
	struct load_set *sets; /* what to load; NULL: paths */
	size_t set_count;
	struct filters filters;
	struct loader_memory asked; /* what options of loaders ask for (loader.h) */
	bool sums;  /* the command adds up threads, unless an option asks for parts */
	bool apart; /* the command shows files one by one */
	bool help;
	const char *groups_path, *metric;
	const char *since; /* a file, or "reset"; NULL: from the beginning */
	const char *output, *columns;
	bool json, raw, run, force, by_thread, by_process, by_rank, tree, no_pager, full_names,
	    waits, all, counts, marked;
	enum terminal_color color;
	int width;                 /* -1: not given */
	const char **source_paths; /* in order; they point into argv */
	size_t source_path_count, source_path_room;
	uint32_t first_line, last_line; /* 0: not given */
	void *own;                      /* the command's struct (command.h); NULL: it has none */
};

/* Checks the value of an option and puts it into *O. False with a message if it is wrong. */
typedef bool option_take(struct options *o, const char *value, struct str *err);

/* What an option does, as one of the macros below says. All are 0: it asks for the help. */
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
	bool own;           /* the member is one of the command's own struct */
	size_t at;          /* where it is: a bool to set, a pointer to the value, or patterns */
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
/* The same, and the shell offers LIST, or what WORD_AT gives, as values (act.words). */
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
/* A value may be given by --NAME=VALUE; it is NULL after --NAME alone. */
#define OPTION_MAYBE(function) OPTION_ACT(.what = OPTION_MAY_TAKE, .take = function)

#define OPTIONS_ROW(...)           ((struct option_spec){__VA_ARGS__})
#define OPTIONS_UNDER(words, rows) OPTIONS_ROW(.heading = words, .act = {.table = rows})
#define OPTIONS_OF(rows)           OPTIONS_UNDER(NULL, rows)
/* What a registry of features lists: TABLES gives table number I, and NULL behind the last. */
#define OPTIONS_OF_EACH(tables_at) OPTIONS_ROW(.act = {.tables = tables_at})
#define OPTIONS_END                OPTIONS_ROW(0)

/* An option, and the heading that it stands under; "": none. */
struct option_row {
	const struct option_spec *option;
	const char *heading;
};

/* TABLE without tables in it, in order; for free(). Ends with an option of NULL. */
struct option_row *options_flatten(const struct option_spec *table);

/* What the words of a command are that are no options. */
enum option_words {
	WORDS_ANYWHERE,   /* they may stand between options */
	WORDS_SIDES,      /* anywhere; each `--` stays among them, for options_is_between() */
	WORDS_OR_PROGRAM, /* anywhere; the words behind `--` are `program` */
	WORDS_PROGRAM,    /* a program and its arguments: the first of them ends the options */
};

/*
 * Parses ARGV[1..]. False with a message on a usage error. Sets `help` at --help, and parses no
 * further. An option with _ in its name may be given with - there.
 */
bool options_parse(struct options *o, const struct option_spec *table, enum option_words words,
		   int argc, char **argv, struct str *err);
void options_free(struct options *o);

/* Whether a word of WORDS_SIDES is a `--`, which divides them. */
bool options_is_between(const char *word);

/* For functions that take values: a whole number; a number of things, of which there must be one. */
bool options_number(const char *value, unsigned long most, unsigned long *number);
/* WHAT says what it is, for the message. 0 with a message. */
unsigned long options_count(const char *what, const char *value, struct str *err);
/* The place of VALUE among WORDS, which stand between spaces. -1 with a message that names the option
 * and all words, and proposes the nearest. */
int options_word(const char *option, const char *words, const char *value, struct str *err);

#endif
