/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - where text goes: its stream, how wide it is, whether it shows colour, and its pager.
 *
 * A pipe or file gets plain text that is the same everywhere: no colour, no width, no pager.
 */
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_color { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };

struct terminal {
	FILE *out; /* stdout, or memory in which a part of an output is made */
	bool color;
	int width; /* columns; 0: lines are not cut */
};

/*
 * Looks at stdout and the environment (NO_COLOR, COLUMNS, TERM). WIDTH overrides the width unless
 * it is -1. With PAGER and a terminal, stdout becomes a pipe to $ZPROF_PAGER, $PAGER or less, and
 * terminal_close() waits for the pager.
 */
void terminal_open(struct terminal *t, enum terminal_color color, int width, bool pager);

/* Flushes stdout and waits for the pager. False if output was lost (a full disk); a reader that
 * closed the pipe (EPIPE) is not an error. */
bool terminal_close(void);

#endif
