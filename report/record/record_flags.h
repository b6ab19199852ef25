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

#include <sys/types.h>

#include "report/core/options/options.h"
#include "report/record/after_run.h"

/* What hooks would add, for a program that has none. This is the only place that says so. */
#define RECORD_HOOKS_ADD                                                                           \
	"Hooks would add exact counts of calls and callers: build with 'zprof cflags', or try "    \
	"'zprof record --any'"
/* The way to record a program that the library cannot be loaded into, such as a static one. */
#define RECORD_FROM_OUTSIDE "'zprof record --sampled' samples it from outside"
/* The ways to record a program without hooks as it is. */
#define RECORD_AS_IS                                                                               \
	"'zprof record --any' records its functions as they are, 'zprof record --sampled' "        \
	"samples them from outside"

#define RECORD_PAGE "zprof.html" /* written and shown by --open */

/* Beside --output, --groups and --metric, which struct options has. */
struct record_flags {
	struct str options;    /* text of ZPROF_OPTIONS */
	const char *start;     /* as given; NULL: not given */
	const char *report_to; /* the file for --report; NULL: stderr */
	struct patterns only, frame, tails;
	bool report, open, quiet, no_archive, force;
	bool any;                 /* functions without hooks are recorded, too (record_any.c) */
	const char *libs;         /* --libs of record_any.c; NULL: it was not given */
	bool sampled;             /* the program is sampled from outside, and nothing is loaded */
	pid_t pid;                /* that is sampled; 0: a program is run */
	struct after_given after; /* flags of features */
	char **program;           /* and its arguments; set before the features begin */
};

extern const struct option_spec record_options[];

/* Whether the flags go together, and there is a program. False with a message. */
bool record_flags_check(const struct options *o, struct str *err);

/* The value of the option NAME in ZPROF_OPTIONS, for free(); NULL if it is not there. */
char *record_flags_in_environment(const char *name);

void record_flags_free(void *flags); /* what is in them */

#endif
