/* SPDX-License-Identifier: MIT */
/*
 * record_language.h - programs in languages whose compilers put in no hooks. The advice to build
 * such a program with flags for gcc helps nobody, so messages say instead what works.
 */
#ifndef REPORT_RECORD_LANGUAGE_H
#define REPORT_RECORD_LANGUAGE_H

/*
 * What to do with the program at PATH if it is in Go or Rust: `it is a program in Go, ...`, or if it
 * has Lua inside of its own file. NULL: it is none of these, or that is not known.
 */
const char *record_language(const char *path);

#endif
