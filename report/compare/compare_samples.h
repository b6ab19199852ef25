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

/* Fills in SAMPLE_OF, the sample of each process, and for each side its samples, runs and elapsed
 * time. Returns the number of samples. */
size_t compare_samples_number(struct compare *c, uint32_t *sample_of, bool sum);

/* How many runs a sample of SIDE is the mean of. */
uint32_t compare_samples_runs(const struct compare *c, const struct compare_side *side,
			      const uint32_t *sample_of, uint32_t sample);

#endif
