/* SPDX-License-Identifier: MIT */
/*
 * named.h - zones marked by hand and lent ones, as frame= and tails= name them.
 *
 * The command zprof, which knows symbols, finds out which functions are meant. Names of zones are
 * known only here, and many of them only while the program runs: so they are compared here, with
 * globs (`*` and `?`). Groups, files and regular expressions mean functions only.
 */
#ifndef ZPROF_NAMED_H
#define ZPROF_NAMED_H

#include <stdbool.h>
#include <stdint.h>

/* Whether one of the PATTERNS, separated by spaces, matches the name of a zone; NULL: none does. */
bool named_matches(const char *patterns, uint64_t zone);

#endif
