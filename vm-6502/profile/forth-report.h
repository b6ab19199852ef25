/* SPDX-License-Identifier: MIT */
/*
 * forth-report: prints tables of buckets in exactly the layouts of the guest's PROFILER-REPORT, but
 * with as many rows as a metric has buckets and with counters of 64 bits. It also writes the file
 * of groups by which zprof shows the same numbers.
 */
#ifndef VM_6502_FORTH_REPORT_H
#define VM_6502_FORTH_REPORT_H

#include <stdio.h>

#include "vm-6502/profile/forth-buckets.h"

enum forth_layout {
	FORTH_CLASSIC, /* with addresses and count stamps */
	FORTH_TALK,    /* the earlier layout, without addresses and count stamps */
};

struct forth_report {
	enum forth_layout layout;
	bool as_next;       /* ticks as a guest measures them */
	const char *metric; /* NULL: all, one after the other */
};

/* If there are no metrics, the table is of all buckets. False: there is no metric of that name. */
bool forth_report_print(const struct forth_report *r, const struct forth_buckets *b, FILE *to);

/* Writes the file of groups for `zprof groups --metric`. */
void forth_report_groups(const struct forth_buckets *b, FILE *to);

#endif
