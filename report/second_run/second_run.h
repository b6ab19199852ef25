/* SPDX-License-Identifier: MIT */
/*
 * second_run.h - runs a recorded program once more, with all its hooks switched off, while samples
 * are taken from outside (second_run/sampler.h).
 *
 * The second run discards its output, and reads standard input again if that is a file. `zprof
 * record --native` (record_native.c) and `--verify` (record_verify.c) make a second run.
 */
#ifndef REPORT_SECOND_RUN_H
#define REPORT_SECOND_RUN_H

#include <sys/types.h>

#include "report/core/load/load.h"
#include "report/record/after_run.h"
#include "report/second_run/sampler.h"

struct second_run {
	bool quiet;  /* do not say on a terminal that the program runs again */
	bool any;    /* functions without hooks were recorded; the second run displaces none */
	off_t input; /* how far standard input had been read; -1: it cannot be read again */
	/* hooks of the program */
	bool *by_source; /* by module: each function of the source has hooks */
	bool any_by_source;
	size_t sites;    /* calls of hooks that can be switched off */
	char folder[32]; /* for files of the second run */
	int status;      /* the program's exit status, as a shell gives it */
};

extern const struct after_run native_after_run, verify_after_run;

/* Functions of both flags for struct after_run (after_run.h). The data that they keep is a struct
 * second_run. */
bool second_run_check(const struct after_run *self, const struct record_flags *flags,
		      struct str *err);
void *second_run_begin(const struct after_run *self, const struct record_flags *flags,
		       struct str *err);
void second_run_end(void *kept);

/* Whether the second run ended as the first one, with STATUS, as a shell gives it. If not, it did
 * something else; a message says how it ended, and is no whole sentence. */
bool second_run_ended_alike(const struct second_run *r, int status, struct str *err);

/* Whether to run the program again. A user who ends the first run by a signal wants no second run;
 * a program that crashed is not run again either. False with a message. */
bool second_run_is_due(int status, struct str *err);

/* Moves the profiles of the process that we started to the front of FILES; returns their number. */
size_t second_run_own(char **files, size_t count);

/* Finds the program's hooks in its modules. L holds its profiles. False with a message if no hook
 * can be switched off. */
bool second_run_find_hooks(struct second_run *r, const struct load *l, struct str *err);

/* Makes the second run. S has all but `prepare`. False with a message. */
bool second_run_sample(struct second_run *r, struct sampler *s, struct str *err);

#endif
