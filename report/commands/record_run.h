/* SPDX-License-Identifier: MIT */
/* record_run.h - runs a program with libzprof.so preloaded, and stays out of its way. */
#ifndef REPORT_RECORD_RUN_H
#define REPORT_RECORD_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "report/base/str.h"

enum { RECORD_FAILED = 125, RECORD_CANNOT_RUN = 126, RECORD_NOT_FOUND = 127 };

/* The path of libzprof.so: $ZPROF_LIB, beside this program, or in ../lib from there. False with a
 * message. */
bool record_find_library(struct str *path, struct str *err);

/* The folder of zprof.h: `include` beside this program, or beside the folder that it is in. */
bool record_find_include(struct str *path);

/* Sets LD_PRELOAD (what was there stays, behind), ZPROF_OPTIONS (OPTIONS behind what was there) and
 * ZPROF_RUN. */
void record_set_environment(const char *library, const char *options, const uint8_t run_id[16]);

/*
 * Runs ARGV and waits for it. Gives what a shell would: its exit status, 128 + N when signal N
 * ended it; 126 or 127 with a message in ERR when it could not be run. Signals from the terminal
 * are the program's business; those sent to this process are handed on to it.
 */
int record_run(char **argv, struct str *err);

/*
 * Makes the file that a report is to go to, before the program runs: a new one, for its user alone,
 * and never what a link leads to. -1 with a message.
 */
int record_make_report(const char *path, struct str *err);

/* Runs this zprof's `graph` for COUNT files, its output going to the descriptor TO (-1: stderr). */
bool record_print_graph(char *const *files, size_t count, const char *groups, const char *metric,
			int to, struct str *err);

#endif
