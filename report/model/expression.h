/* SPDX-License-Identifier: MIT */
/*
 * expression.h - whether an extended regular expression is small enough to be compiled.
 *
 * regcomp() writes repetitions out: it makes a copy of what is repeated for each time it may occur,
 * so `((a{1,100}){1,100}){1,100}` takes a million copies, and gigabytes. And a back-reference makes
 * matching take time that grows with every combination of the text's parts. Neither is for an
 * expression that stands in a file somebody else may have written.
 */
#ifndef REPORT_EXPRESSION_H
#define REPORT_EXPRESSION_H

#include <stddef.h>

#define EXPRESSION_PARTS 1000 /* characters, sets and brackets, repetitions written out */

/* Why EXPRESSION is not to be compiled, a sentence; NULL when it may be. */
const char *expression_refused(const char *expression);

#endif
