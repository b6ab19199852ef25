/* SPDX-License-Identifier: MIT */
/* help.h - pages of `zprof help` that belong to no command. */
#ifndef REPORT_HELP_H
#define REPORT_HELP_H

/* All commands, each with a line. */
void help_overview(void);

/* The text of a page such as "patterns"; NULL if there is none. */
const char *cmd_help_page(const char *name);

#endif
