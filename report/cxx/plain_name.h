/* SPDX-License-Identifier: MIT */
/*
 * plain_name.h - writes a demangled C++ name as its author would:
 *
 *     void fmt::v9::detail::f<std::vector<int, std::allocator<int> > >(std::__cxx11::basic_string<
 *         char, std::char_traits<char>, std::allocator<char> >)
 *     fmt::detail::f<std::vector<int>>(std::string)
 *
 * Left out are default template arguments, inline namespaces, tags such as `[abi:cxx11]`, and the
 * return type. Two functions may come out alike; short_names.h tells them apart.
 */
#ifndef REPORT_PLAIN_NAME_H
#define REPORT_PLAIN_NAME_H

#include "report/core/base/str.h"

/* TEXT becomes NAME in plain form, with its return type. */
void plain_name(struct str *text, const char *name);

/* Where the name itself begins, behind its return type. Names without parameters, thunks, and
 * functions that return pointers to functions are kept whole. */
const char *plain_name_behind_type(const char *name);

/* TEXT becomes the plain name NAME, where the arguments of `fmt::f<fmt::arg>` are written as code in
 * the namespace `fmt` would: `fmt::f<arg>`. Names in `std` keep it. */
void plain_name_within(struct str *text, const char *name);

#endif
