/* SPDX-License-Identifier: MIT */
/*
 * library_name.h - tells the internal functions of a C++ standard library from those that programs
 * call.
 *
 * C++ reserves names that begin with `_M` or `__` for its implementation. So a function is internal
 * if it is in `std`, and such a name is a part of its own: `std::vector<int>::_M_realloc_insert`,
 * `std::__detail::_Hash_node`. All of `__gnu_cxx` and `__cxxabiv1` is internal.
 */
#ifndef REPORT_LIBRARY_NAME_H
#define REPORT_LIBRARY_NAME_H

#include <stdbool.h>

/* Whether NAME, a demangled one, is that of an internal function. */
bool library_internal(const char *name);

#endif
