/* SPDX-License-Identifier: MIT */
/*
 * short_name.h - makes very long C++ names readable: `std::map<...>::operator[](...)`.
 */
#ifndef REPORT_SHORT_NAME_H
#define REPORT_SHORT_NAME_H

#include "report/base/str.h"

#define SHORT_NAME_MOST 64 /* names up to this length stay as they are */

/*
 * Puts NAME into TEXT. A name longer than SHORT_NAME_MOST loses what is inside its outermost angle
 * brackets and parentheses. `operator<`, `operator()` and `(anonymous namespace)` are kept.
 */
void short_name(struct str *text, const char *name);

#endif
