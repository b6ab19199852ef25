/* SPDX-License-Identifier: MIT */
/*
 * named.h - which zones marked by hand, and which lent zones, frame= and tails= mean.
 *
 * The command zprof, which knows symbols, finds the compiled functions that these options mean. The
 * names of other zones are known only in this process, many of them only as it runs. So the library
 * compares these names itself, with globs (`*` and `?`). Patterns for groups, files and regular
 * expressions mean compiled functions only.
 */
#ifndef ZPROF_NAMED_H
#define ZPROF_NAMED_H

#include <stdbool.h>
#include <stdint.h>

/* Whether one of `patterns`, separated by spaces, matches the name of a zone. NULL: no patterns. */
bool named_matches(const char *patterns, uint64_t zone);

#endif
