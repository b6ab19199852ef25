/* SPDX-License-Identifier: MIT */
/*
 * compare_folded.h - the difference of two sides as folded stacks. Each chain of callers has a
 * line:
 *
 *     main;parse;scan_word 40 61
 *
 * The two numbers are the self time of the innermost function in this chain, before and after, in
 * nanoseconds of a run; or its calls if times were not recorded. flamegraph.pl draws a differential
 * flame graph of such lines.
 */
#ifndef REPORT_COMPARE_FOLDED_H
#define REPORT_COMPARE_FOLDED_H

#include "report/compare/compare.h"

void compare_folded_print(const struct compare *c);

#endif
