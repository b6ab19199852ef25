/* SPDX-License-Identifier: MIT */
/*
 * short_name.h - makes very long C++ names readable: `std::map<...>::operator[](...)`.
 */
#ifndef REPORT_SHORT_NAME_H
#define REPORT_SHORT_NAME_H

#include "report/core/base/str.h"

#define SHORT_NAME_MOST 64 /* names up to this length stay as they are */

/*
 * Puts NAME into TEXT. A name longer than SHORT_NAME_MOST loses what is inside its outermost angle
 * brackets and parentheses. `operator<`, `operator()` and `(anonymous namespace)` are kept.
 */
void short_name(struct str *text, const char *name);

/*
 * A form of NAME for ROOM columns: without its return type, then without what is in brackets, then
 * without its outer namespaces. It may still be too wide, for the caller to cut. OTHER, unless
 * NULL, is a name with the same form: the new form has what differs between them.
 */
void short_name_fit(struct str *text, const char *name, const char *other, int room);

#endif
