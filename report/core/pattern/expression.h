/* SPDX-License-Identifier: MIT */
/*
 * expression.h - whether an extended regular expression is small enough to compile.
 *
 * regcomp() expands repetitions: it makes a copy of an item for each time that the item may occur.
 * So `((a{1,100}){1,100}){1,100}` takes a million copies and gigabytes. A back-reference makes
 * matching take exponential time. Since an expression may come from another user's file, both are
 * refused.
 */
#ifndef REPORT_EXPRESSION_H
#define REPORT_EXPRESSION_H

#include <stddef.h>

#define EXPRESSION_PARTS 1000 /* characters, sets and brackets, with repetitions expanded */

/* A sentence that says why EXPRESSION is refused; NULL if it may be compiled. */
const char *expression_refused(const char *expression);

#endif
