/* SPDX-License-Identifier: MIT */
/* wrap.h - prints text that is not a table: heads of reports, notes, lines of losses. */
#ifndef REPORT_WRAP_H
#define REPORT_WRAP_H

#include "report/core/base/terminal.h"

/* How far the lines that a long line is broken into are indented. */
#define WRAP_INDENT 4

/*
 * Prints TEXT, a line for each of its lines. A line that is wider than the terminal is broken at
 * spaces, or in the middle of a word that is wider; where the terminal has no width, none is. TEXT
 * is safe to show (visible.h).
 */
void wrap_print(const struct terminal *t, const char *text);

/* The same; the further lines of a line are indented by INDENT. */
void wrap_print_indented(const struct terminal *t, const char *text, int indent);

#endif
