/* SPDX-License-Identifier: MIT */
/*
 * compare_folded.h - the difference of two sides as folded stacks, a line for each chain of
 * callers:
 *
 *     main;parse;scan_word 40 61
 *
 * What stands in the chain itself before, and after: nanoseconds of a run, or calls if times were
 * not recorded. flamegraph.pl draws a differential flame graph of it.
 */
#ifndef REPORT_COMPARE_FOLDED_H
#define REPORT_COMPARE_FOLDED_H

#include "report/compare/compare.h"

void compare_folded_print(const struct compare *c);

#endif
