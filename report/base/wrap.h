/* SPDX-License-Identifier: MIT */
/* wrap.h - prints text that is not a table: heads of reports, notes, lines of losses. */
#ifndef REPORT_WRAP_H
#define REPORT_WRAP_H

/* How far the lines that a long line is broken into are indented. */
#define WRAP_INDENT 4

/*
 * Prints TEXT on stdout, a line for each of its lines. A line of more than WIDTH columns is broken
 * at spaces, or in the middle of a word that is wider; WIDTH 0: none is. TEXT is safe to show
 * (visible.h).
 */
void wrap_print(const char *text, int width);

/* The same; the further lines of a line are indented by INDENT. */
void wrap_print_indented(const char *text, int width, int indent);

#endif
