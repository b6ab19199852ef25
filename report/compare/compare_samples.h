/* SPDX-License-Identifier: MIT */
/*
 * compare_samples.h - which processes are one sample of a side.
 *
 * A sample is a run: the processes with one run id. A merged profile is one sample too, the mean of
 * its runs. With `sum`, all files of a side are one sample. The samples of all sides are numbered
 * one after another:
 *
 *     side       before                 after
 *     process    0    1    2    3       4    5
 *     run        a    a    b    b       c    d
 *     sample     0    0    1    1       2    3
 */
#ifndef REPORT_COMPARE_SAMPLES_H
#define REPORT_COMPARE_SAMPLES_H

#include "report/compare/compare.h"

/* Calls TAKE with each sample as a tree of its own, which TAKE may change, and sets the share and the
 * columns of C to those of the sample. Fills in the samples, runs and elapsed time of each side. */
void compare_samples_each(struct compare *c,
			  void (*take)(void *context, size_t side, struct tree *sample),
			  void *context);

#endif
