/* SPDX-License-Identifier: MIT */
/*
 * brackets.h - finds brackets in demangled C++ names, where `operator<`, the arrow `->` and the
 * comparison in `decltype ((a)<(b))` are no brackets.
 */
#ifndef REPORT_BRACKETS_H
#define REPORT_BRACKETS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether C may be part of an identifier. */
bool brackets_is_word(char c);

/* The length of an operator's name at AT, such as `operator<<`, `operator()`, `operator bool` up to
 * `operator`; 0 if there is none. NAME is where the text begins. */
size_t brackets_operator(const char *name, const char *at);

/* The length of `(anonymous namespace)` at AT; 0 if it is not there. */
size_t brackets_anonymous(const char *at);

/* The bracket that closes the one at AT, which is `<`, `(`, `[` or `{`; NULL if there is none
 * before END. NAME is where the text begins. */
const char *brackets_close(const char *name, const char *at, const char *end);

#endif
