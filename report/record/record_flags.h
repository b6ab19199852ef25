/* SPDX-License-Identifier: MIT */
/*
 * record_flags.h - what `zprof record` is asked for on its command line.
 *
 * The options of the library (preload/options.def) are flags of the same names, and are passed on.
 * A bad value is refused here, before the program runs; the library itself would let the program
 * run unprofiled. The other flags are for `zprof record` alone, or for what features do after the
 * run (after_run.h).
 */
#ifndef REPORT_RECORD_FLAGS_H
#define REPORT_RECORD_FLAGS_H

#include <stdbool.h>

#include "report/core/base/str.h"
#include "report/core/pattern/pattern.h"
#include "report/record/after_run.h"

#define RECORD_PAGE "zprof.html" /* written and shown by --open */

struct record_flags {
	struct str options; /* text of ZPROF_OPTIONS */
	/* values as given; NULL if not given */
	const char *output, *groups, *metric, *clock, *start;
	const char *report_to; /* the file for --report; NULL: stderr */
	struct patterns only;
	bool report, open, quiet, no_archive, force, help;
	struct after_given after; /* flags of features */
	char **program;           /* and its arguments */
};

/* Parses ARGV, whose first word is the command's own. False with a message. */
bool record_flags_parse(struct record_flags *flags, int argc, char **argv, struct str *err);

/* Prints a line of help for each flag. */
void record_flags_help(void);

/* The value of KEY (with its '=') in ZPROF_OPTIONS, as the library reads it, for free(); NULL if it
 * is not there. */
char *record_flags_in_environment(const char *key);

void record_flags_free(struct record_flags *flags);

#endif
