/* SPDX-License-Identifier: MIT */
/* any_files.h - libraries whose functions `zprof record --any` leaves as they are, by the names of their files. */
#ifndef REPORT_ANY_FILES_H
#define REPORT_ANY_FILES_H

#include <stdbool.h>

/* A library of the C and C++ run time, which is recorded if --libs names it. FILE is a path. */
bool any_is_run_time(const char *file);

/* A library of zprof: an adapter of an interpreter (preload/adapters), whose calls are no calls of the program. */
bool any_is_own(const char *file);

/*
 * Whether a library is an interpreter whose functions are recorded by an adapter (preload/adapters/lua),
 * which does not know the compiled function that runs them. Displaced functions that report a call would
 * stand between the two.
 */
bool any_is_interpreter(const char *file);

#endif
