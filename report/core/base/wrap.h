/* SPDX-License-Identifier: MIT */
/* wrap.h - prints text that is not a table: heads of reports, notes, lines of losses. */
#ifndef REPORT_WRAP_H
#define REPORT_WRAP_H

#include "report/core/base/terminal.h"

/* When a long line is broken, the further lines are indented by this much. */
#define WRAP_INDENT 4

/*
 * Prints TEXT. A line wider than the terminal is broken at spaces, but not between a number and its
 * unit; a word wider than a line is broken anywhere. If the terminal has no width, no line is broken. TEXT must be safe to show
 * (visible.h).
 */
void wrap_print(const struct terminal *t, const char *text);

/* Like wrap_print(), but the further lines of a broken line are indented by INDENT. */
void wrap_print_indented(const struct terminal *t, const char *text, int indent);

#endif
