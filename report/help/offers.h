/* SPDX-License-Identifier: MIT */
/*
 * offers.h - what a shell can offer while a command line of zprof is typed. The commands, options
 * and values come from the tables of --help; groups, functions and processes are found when the
 * user presses the completion key. The script for each shell (shells.h) says how.
 */
#ifndef REPORT_OFFERS_H
#define REPORT_OFFERS_H

#include <stdbool.h>

#include "report/core/command/command.h"
#include "report/core/command/help_text.h"

/* The values of an option. */
enum offers {
	OFFERS_UNKNOWN,
	OFFERS_WORDS, /* those of offers_put_words() */
	OFFERS_LIST,  /* some of these words, between commas */
	OFFERS_FUNCTIONS,
	OFFERS_GROUPS,
	OFFERS_PROCESSES,
};

/* The words of a command that are no options. */
enum offers_behind {
	OFFERS_FILES,
	OFFERS_PROCESS,
	OFFERS_PROCESS_OR_FILE,
	OFFERS_PROCESS_THEN_FUNCTIONS,
};

/* Shell commands that print the groups of the file in this folder, a line each; and the end of one
 * that prints the functions of the newest profile there, without parameters. */
#define OFFERS_PRINT_GROUPS "sed -n 's/^\\[group \\(.*\\)\\]$/\\1/p' zprof.groups 2>/dev/null"
#define OFFERS_PRINT_FUNCTIONS                                                                     \
	"report --all --full-names --format=name --width=0 --color=never 2>/dev/null |\n"          \
	"\t\tsed '1,/^ *name$/d; /^$/,$d; s/(\\([^()]*\\))\\( const\\)\\{0,1\\}$//'"

extern const struct command *const *offers_commands; /* all, up to a NULL */
extern const char *offers_command;                   /* whose options are being printed */

enum offers offers_of(const struct option_spec *s);
bool offers_files(const struct option_spec *s); /* files, too */
enum offers_behind offers_behind(const struct command *c);

/* The words that the option takes, with spaces between them. */
void offers_put_words(const struct option_spec *s);

/* TEXT up to the end of its first sentence, without quotes. */
void offers_put_summary(const char *text);

/* The names of all commands, BEFORE the first one and BETWEEN two; then those of pages of help. */
void offers_put_commands(const char *before, const char *between);
void offers_put_pages(const char *before);

/* Calls PRINT for the options of each command, BEGIN before them, which has a %s for the name of the
 * command, and END behind them. */
void offers_each_option(void (*print)(const struct option_spec *s), const char *begin,
			const char *end);

#endif
