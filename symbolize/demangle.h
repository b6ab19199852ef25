/* SPDX-License-Identifier: MIT */
/*
 * Turns the linker's name of a function into its name in the source. libiberty demangles names of
 * C++ and Rust (legacy and v0 mangling). Suffixes that compilers and linkers append
 * (`.constprop.0`, `@@VERSION`) are removed first, so that a function has one name, with and
 * without debug information.
 */
#ifndef SYMBOLIZE_DEMANGLE_H
#define SYMBOLIZE_DEMANGLE_H

#include <stdbool.h>

#include "symbolize/intern.h"

/* Whether LINKAGE begins like a mangled name of C++ or Rust. */
bool demangle_applies(const char *linkage);

/*
 * The name in the source; LINKAGE itself if it is not mangled, or memory has run out. Never NULL.
 */
const char *demangle_name(struct intern *in, const char *linkage);

#endif
