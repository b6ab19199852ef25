/* SPDX-License-Identifier: MIT */
/*
 * record_verify.h - `zprof record --verify`: the program runs once more, with all its hooks switched
 * off, and samples from outside tell where it spends its time then (model/native.h).
 */
#ifndef REPORT_RECORD_VERIFY_H
#define REPORT_RECORD_VERIFY_H

#include <signal.h>
#include <sys/types.h>

#include "report/base/str.h"

struct verify {
	off_t input; /* how far standard input had been read; -1: it cannot be read again */
	struct sigaction terminal[2];
};

/* Notes what the second run is to find as the first did. Before the first. */
void verify_begin(struct verify *v);

/*
 * Runs PROGRAM again and prints, on stderr, the shares of both runs, of FILES those that were recorded of
 * the process that this one started. False with a message.
 */
bool verify_run(const struct verify *v, char **program, char *const *files, size_t count,
		struct str *err);

#endif
