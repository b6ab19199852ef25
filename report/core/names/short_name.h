/* SPDX-License-Identifier: MIT */
/*
 * short_name.h - makes very long C++ names readable: `std::map<...>::operator[](...)`.
 */
#ifndef REPORT_SHORT_NAME_H
#define REPORT_SHORT_NAME_H

#include "report/core/base/str.h"

#define SHORT_NAME_MOST 64 /* names up to this length stay as they are */

/*
 * TEXT becomes NAME. If NAME is longer than SHORT_NAME_MOST, the content of its outermost angle
 * brackets and parentheses is left out. `operator<`, `operator()` and `(anonymous namespace)` are
 * kept.
 */
void short_name(struct str *text, const char *name);

/*
 * TEXT becomes a form of NAME for ROOM columns. The return type goes first, then the content of
 * brackets, then outer namespaces. The result may still be too wide; the caller then cuts it.
 * OTHER, unless NULL, is a name with the same form; the new form shows where the two differ.
 */
void short_name_fit(struct str *text, const char *name, const char *other, int room);

#endif
