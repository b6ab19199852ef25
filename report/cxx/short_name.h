/* SPDX-License-Identifier: MIT */
/*
 * short_name.h - makes long C++ names readable:
 *
 *     std::vector<int, std::allocator<int> >::push_back(int const&)
 *     std::vector<int>::push_back(int const&)                     in any text
 *     vector<...>::push_back                                      where there is little room
 */
#ifndef REPORT_SHORT_NAME_H
#define REPORT_SHORT_NAME_H

#include "report/cxx/name_cut.h"

#define SHORT_NAME_MOST 60 /* columns that a name may take in a text of any width */

/* C becomes the plain form of NAME, without its return type. If that is wider than ROOM, its
 * arguments are written as within its namespace. */
void short_name_begin(struct name_cut *c, const char *name, int room);

/* TEXT becomes the plain form of NAME, with `...` for arguments beyond SHORT_NAME_MOST columns. The
 * name may be wider if its scopes are. */
void short_name(struct str *text, const char *name);

/*
 * TEXT becomes a form of NAME for ROOM columns: arguments go first, then outer scopes. The result
 * may still be too wide; the caller then cuts it. OTHER, unless NULL, is a name with the same form;
 * the new form shows where the two differ.
 */
void short_name_fit(struct str *text, const char *name, const char *other, int room);

#endif
