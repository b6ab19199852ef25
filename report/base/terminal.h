/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - what stdout is: its width, whether it takes colour, and the pager in front of it.
 *
 * A pipe or file gets plain text that does not depend on the surroundings: no colour, no width, no
 * pager.
 */
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H

#include <stdbool.h>

enum terminal_color { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };

struct terminal {
	bool color;
	int width; /* columns; 0: do not fit anything */
};

/* `auto`, `always` or `never` into *COLOR; false when TEXT is none of them. */
bool terminal_color_parse(const char *text, enum terminal_color *color);

/*
 * Looks at stdout and the environment (NO_COLOR, COLUMNS, TERM). WIDTH overrides the width when it
 * is not -1. With PAGER and a terminal, $ZPROF_PAGER, $PAGER or less is started in front of stdout,
 * and terminal_close() waits for it.
 */
void terminal_open(struct terminal *t, enum terminal_color color, int width, bool pager);

/*
 * Flushes stdout, waits for the pager. False when what was written did not arrive (a full disk); a
 * reader that went away (EPIPE) is no failure.
 */
bool terminal_close(void);

#endif
