/* SPDX-License-Identifier: MIT */
/* record_run.h - runs a program with libzprof.so preloaded, and stays out of its way. */
#ifndef REPORT_RECORD_RUN_H
#define REPORT_RECORD_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "report/core/base/replace.h"
#include "report/record/record_end.h"

enum { RECORD_FAILED = 125, RECORD_CANNOT_RUN = 126, RECORD_NOT_FOUND = 127 };

/* The path of libzprof.so: $ZPROF_LIB, or beside this program, or in ../lib. False with a
 * message. */
bool record_find_library(struct str *path, struct str *err);

/* The folder of zprof.h: `include` in the folder of this program, or in the folder above. */
bool record_find_include(struct str *path);

/*
 * Makes the id of a new run. Each rank of a parallel job is recorded by its own `zprof record`, but
 * all ranks are one run. So if the launcher names the job, the id is made from that name. False
 * with a message.
 */
bool record_make_run_id(uint8_t run_id[16], struct str *err);

/* Puts LIBRARY in front of LD_PRELOAD, OPTIONS at the end of ZPROF_OPTIONS, and sets ZPROF_RUN. */
void record_set_environment(const char *library, const char *options, const uint8_t run_id[16]);

/*
 * Runs ARGV and waits for it. Returns the status that a shell would: its exit status; 128 + N if
 * signal N ended it; 126 or 127 with a message in ERR if it cannot be run. The program handles
 * signals from the terminal itself; signals sent to this process are passed on to the program. END:
 * how it ended.
 */
int record_run(char **argv, struct record_end *end, struct str *err);

/* What record_run() does with signals sent to this process, for others who run a program. */
void record_change_signals(void);

/* After record_run(), in a child that is about to become a program: gives signals their old actions
 * back. */
void record_restore_signals(void);

/* After record_run(): from now on, signals are passed on to process PID; 0: to no process. A signal
 * that comes while there is no process is sent to the next. */
void record_hand_on_to(pid_t pid);

/* Begins the file for a report before the program runs: a new file that only its user can read.
 * False with a message: the file cannot be made, or exists already. */
bool record_make_report(struct replacement *report, const char *path, struct str *err);

/* Runs this zprof's `graph` for COUNT files. Its output goes into REPORT, which is completed; or to
 * stderr if REPORT was not begun. */
bool record_print_graph(char *const *files, size_t count, const char *groups, const char *metric,
			struct replacement *report, struct str *err);

/* Makes the file PAGE by this zprof's `html`, and shows it in a browser; waits for both. */
bool record_open_page(const char *page, char *const *files, size_t count, const char *groups,
		      const char *metric, struct str *err);

#endif
