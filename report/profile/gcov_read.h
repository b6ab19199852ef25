/* SPDX-License-Identifier: MIT */
/*
 * gcov_read.h - reads the JSON of `gcov --json-format` as a profile that has counts of statements
 * alone.
 *
 *     {"data_file": "prog", "files": [{"file": "fib.c",
 *       "functions": [{"name": "fib", "demangled_name": "fib", "start_line": 4, "end_line": 9, ...}],
 *       "lines": [{"line_number": 6, "function_name": "fib", "count": 57291, ...}, ...]}]}
 *
 * gcov writes one such object for each object file, all in one module here. Each line of a function
 * gets an address, and with it a counter of its own (struct zprof_counts), so that counts of
 * several runs add up as those of profiles do. The module's build-id is made of the lines and
 * functions: those of another build are another module.
 */
#ifndef REPORT_GCOV_READ_H
#define REPORT_GCOV_READ_H

#include "report/profile/profile_read.h"
#include "report/profile/source.h"

/* Whether a file looks like gcov's JSON, as it is or packed by gzip. */
bool gcov_is(const struct source *from);

/* As profile_load(). */
bool gcov_read(struct profile *p, const struct source *from, const char *path, struct str *err);

#endif
