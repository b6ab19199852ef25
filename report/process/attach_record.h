/* SPDX-License-Identifier: MIT */
/*
 * attach_record.h - records a running process for a while: begins a recording, waits, and ends it,
 * so that the process's hooks sleep again. For `zprof attach`, and for what features add to that
 * command (attach_more.h).
 */
#ifndef REPORT_ATTACH_RECORD_H
#define REPORT_ATTACH_RECORD_H

#include "report/process/attach_wait.h"

/* What is recorded, and where. */
struct attach_wish {
	const char *only;   /* functions that match; NULL: all */
	const char *output; /* a pattern; NULL: the default */
	bool stopped;
	/* How long the process may take to notice, which its next call of a function does. 0: as long
	 * as it likes. */
	double patience_s;
};

/* Begins a recording of the process. PROFILE becomes the path of its profile. */
bool attach_record_begin(struct running *r, const struct attach_wish *w, struct str *profile,
			 struct str *err);

/* Ends the recording after SECONDS, or earlier if a signal comes. The process may have ended by
 * then: a line says so, and that is no failure. Nor is it one if the process does not notice within
 * the patience: its next call of a function ends the recording. */
bool attach_record_end(struct running *r, double seconds, struct str *err);

#endif
