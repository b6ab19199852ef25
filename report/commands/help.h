/* SPDX-License-Identifier: MIT */
/* help.h - help texts, laid out like a manual page. */
#ifndef REPORT_HELP_H
#define REPORT_HELP_H

struct command;

void help_overview(void);
void help_command(const struct command *c);

/* One option: LETTER may be 0, ARGUMENT NULL. TEXT is wrapped. */
void help_option(char letter, const char *name, const char *argument, const char *text);

/* TEXT wrapped at 78 columns, INDENT spaces before each line; lines that begin with a space are
 * kept as they are. */
void help_paragraphs(const char *text, int indent);

#endif
