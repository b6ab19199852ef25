/* SPDX-License-Identifier: MIT */
/* help_text.h - the help of a command and of its options, laid out like a manual page. */
#ifndef REPORT_HELP_TEXT_H
#define REPORT_HELP_TEXT_H

#include <stdbool.h>

#include "report/core/command/help_texts.h"

struct command;
struct option_spec;

/* The texts of the command. */
const struct help_command *help_of(const struct command *c);

/* Whether lists of commands name it. */
bool help_is_listed(const struct command *c);

/* Prints the command's page. */
void help_command(const struct command *c);

/* How a command's page is laid out: as text, which is the default, or as manual pages and shell
 * completions need it (manual.c). All are made from the same tables. */
struct help_style {
	void (*option)(const struct option_spec *s);
	void (*paragraphs)(const char *text, int indent);
};
extern const struct help_style *help_style; /* NULL: text */

/* The command's options: heading by heading, in the order in which headings first appear. */
void help_options(const struct command *c);

/* TEXT wrapped at 78 columns, INDENT spaces before each line; lines that begin with a space are
 * kept as they are. */
void help_paragraphs(const char *text, int indent);

#endif
