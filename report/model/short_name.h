/* SPDX-License-Identifier: MIT */
/*
 * short_name.h - C++ names as long as a page, made readable: `std::map<...>::operator[](...)`.
 */
#ifndef REPORT_SHORT_NAME_H
#define REPORT_SHORT_NAME_H

#include "report/base/str.h"

#define SHORT_NAME_MOST 64 /* names up to this length are left as they are */

/*
 * NAME into TEXT; what is longer than SHORT_NAME_MOST loses what is inside of its outermost angle
 * brackets and parentheses. `operator<`, `operator()` and `(anonymous namespace)` are kept.
 */
void short_name(struct str *text, const char *name);

#endif
