/* SPDX-License-Identifier: MIT */
/*
 * line_match.h - which line of a text a line has become, after the text was edited.
 *
 *     before                      after
 *     1  int f(int x)             1  int f(int x)
 *     2  {                        2  {
 *     3      return g(x);         3      log("f");        new
 *     4  }                        4      return g(x, 1);  edited: line 3 of before
 *                                 5  }
 *
 * Equal lines come first: those that occur once in each text, in one order, divide both into
 * stretches, and so on within those; what is left is compared line with line. White space does not
 * count. Then, between two lines that stayed, a line that is gone and a new one that begins and
 * ends like it are one line that was edited; and so are all others, if as many are gone as are new.
 */
#ifndef REPORT_LINE_MATCH_H
#define REPORT_LINE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#define LINE_GONE UINT32_MAX

/* By index of BEFORE: an index into AFTER, or LINE_GONE. free() it. */
uint32_t *line_match(const char *const *before, size_t before_count, const char *const *after,
		     size_t after_count);

#endif
