/* SPDX-License-Identifier: MIT */
/*
 * record_native.h - `zprof record --native`: the times of a profile are those of a second run, with
 * all hooks off (second_run.h, second_run/native_times.h).
 */
#ifndef REPORT_RECORD_NATIVE_H
#define REPORT_RECORD_NATIVE_H

#include "report/second_run/second_run.h"

/*
 * Runs PROGRAM again and adds its times to the one of FILES that was recorded of the process that
 * this one started, and which ended with STATUS, as the second must. Before the profile is
 * archived. False with a message.
 */
bool native_run(struct second_run *r, char **program, int status, char **files, size_t count,
		struct str *err);

#endif
