/* SPDX-License-Identifier: MIT */
/*
 * second_run.h - runs a program that was recorded once more, with all its hooks switched off, while
 * samples are taken of it from outside (second_run/sampler.h).
 *
 * The second run discards its output, and reads standard input again if that is a file. It is asked
 * for by `zprof record --native` (record_native.c) and `--verify` (record_verify.c).
 */
#ifndef REPORT_SECOND_RUN_H
#define REPORT_SECOND_RUN_H

#include <sys/types.h>

#include "report/core/load/load.h"
#include "report/record/after_run.h"
#include "report/second_run/sampler.h"

struct second_run {
	bool quiet;  /* a terminal is not told that the program runs again */
	off_t input; /* how far standard input had been read; -1: it cannot be read again */
	/* hooks of the program */
	bool *by_source; /* by module: each function of the source has hooks */
	bool any_by_source;
	size_t sites;    /* calls of hooks that can be switched off */
	char folder[32]; /* for files of the second run */
	int status;      /* the program's exit status, as a shell gives it */
};

extern const struct after_run native_after_run, verify_after_run;

/* The hooks of both flags (after_run.h). They keep a struct second_run. */
bool second_run_check(const struct after_run *self, const struct record_flags *flags,
		      struct str *err);
void *second_run_begin(const struct after_run *self, const struct record_flags *flags,
		       struct str *err);
void second_run_end(void *kept);

/* Whether STATUS, as a shell has it, says that a signal ended the program. */
bool second_run_by_signal(int status);

/*
 * Who ends the first run by a signal wants no second one; nor does a program that crashes. False
 * with a message.
 */
bool second_run_is_due(int status, struct str *err);

/* Of FILES, those that were recorded of the process that this one started: how many, put first. */
size_t second_run_own(char **files, size_t count);

/* Which hooks the program has: that can be switched off, or a message. L holds its profiles. */
bool second_run_find_hooks(struct second_run *r, const struct load *l, struct str *err);

/* Runs it: S has all but `prepare`. False with a message. */
bool second_run_sample(struct second_run *r, struct sampler *s, struct str *err);

#endif
