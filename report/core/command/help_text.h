/* SPDX-License-Identifier: MIT */
/* help_text.h - the help of a command and of its options, laid out like a manual page. */
#ifndef REPORT_HELP_TEXT_H
#define REPORT_HELP_TEXT_H

struct command;

void help_command(const struct command *c);

/* How a command's page is laid out: as text, which is the default, or as manual pages and shell
 * completions need it (manual.c). All are made from the same tables. */
struct help_style {
	void (*option)(char letter, const char *name, const char *argument, const char *text);
	void (*paragraphs)(const char *text, int indent);
};
extern const struct help_style *help_style; /* NULL: text */

/* The command's options, heading by heading. */
void help_options(const struct command *c);

/* One option: LETTER may be 0, ARGUMENT NULL. TEXT is wrapped. */
void help_option(char letter, const char *name, const char *argument, const char *text);

/* TEXT wrapped at 78 columns, INDENT spaces before each line; lines that begin with a space are
 * kept as they are. */
void help_paragraphs(const char *text, int indent);

#endif
