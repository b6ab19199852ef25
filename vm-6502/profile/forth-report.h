/* SPDX-License-Identifier: MIT */
/*
 * forth-report: tables of buckets, in the layouts of the guest's PROFILER-REPORT, to the letter,
 * but with as many rows as a metric has buckets and with counters of 64 bits; and the groups file
 * by which zprof shows the same.
 */
#ifndef VM_6502_FORTH_REPORT_H
#define VM_6502_FORTH_REPORT_H

#include <stdio.h>

#include "vm-6502/profile/forth-buckets.h"

enum forth_layout {
	FORTH_CLASSIC, /* with addresses and count stamps */
	FORTH_TALK,    /* the earlier one, without */
};

struct forth_report {
	enum forth_layout layout;
	bool as_next;       /* ticks as a guest measures them */
	const char *metric; /* NULL: all, one after the other */
};

/* Where no metric is known, the table is of all buckets. False: there is no metric of that name. */
bool forth_report_print(const struct forth_report *r, const struct forth_buckets *b, FILE *to);

/* For `zprof groups --metric`. */
void forth_report_groups(const struct forth_buckets *b, FILE *to);

#endif
