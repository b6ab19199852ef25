/* SPDX-License-Identifier: MIT */
/*
 * From the linker's name to the one in the source: C++ and Rust (its legacy and its v0 mangling) by
 * libiberty. What compilers and linkers append to a name (`.constprop.0`, `@@VERSION`) is taken off
 * first, so that a function has the same name with debug information and without.
 */
#ifndef SYMBOLIZE_DEMANGLE_H
#define SYMBOLIZE_DEMANGLE_H

#include <stdbool.h>

#include "symbolize/intern.h"

/* Whether LINKAGE begins as C++'s and Rust's mangled names do. */
bool demangle_applies(const char *linkage);

/* Gives LINKAGE itself where nothing is to be done, or when memory has run out. Never NULL. */
const char *demangle_name(struct intern *in, const char *linkage);

#endif
