/* SPDX-License-Identifier: MIT */
/*
 * record_verify.h - `zprof record --verify`: a second run, with all hooks off (second_run.h), tells
 * where the program spends its time then (second_run/native.h).
 */
#ifndef REPORT_RECORD_VERIFY_H
#define REPORT_RECORD_VERIFY_H

#include "report/second_run/second_run.h"

/*
 * Runs PROGRAM, which ended with STATUS, again and prints, on stderr, the shares of both runs, of
 * FILES those that were recorded of the process that this one started. False with a message.
 */
bool verify_run(struct second_run *r, char **program, int status, char **files, size_t count,
		struct str *err);

#endif
