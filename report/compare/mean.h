/* SPDX-License-Identifier: MIT */
/*
 * mean.h - the mean of a number over several runs of a program, and how far off it may be.
 *
 * The error bar of a mean has two parts. The error of the hooks' cost is the same in all samples,
 * so more samples do not make it smaller: this part is the mean of the samples' errors. The noise
 * of the machine differs from run to run and does get smaller: this part is Student's t for 95 %,
 * times the deviation of the samples, divided by the square root of their number. With one sample
 * the deviation is unknown; then the variance within that sample is taken (cost.h).
 *
 *     runs      100   104   102      each with a bar of 3, of which 2 are the hooks', alike in all
 *     mean      102, noise +-5 (t = 4.3 of deviation 2 / root of 3), hooks +-2:  102 +-5.4
 */
#ifndef REPORT_MEAN_H
#define REPORT_MEAN_H

#include <stddef.h>

/* Half the width of an error bar, in standard errors: it covers 95 of 100 cases. */
#define MEAN_SIGMAS 1.96

/* One sample: its value, the part of its error bar that is the same in all samples, and the
 * variance of the rest. */
struct mean_sample {
	double value, bias, variance;
};

/* The samples of one number, added up. Differences to the first sample keep equal samples exactly
 * equal. */
struct mean_sum {
	size_t seen; /* samples that had the number; in the others it was zero */
	double first, sum, squares;
	double biases;    /* errors of the hooks' cost: the same in all samples */
	double variances; /* of the samples themselves: see cost.h */
};

struct mean {
	double value, bar;
};

/*
 * Adds a measured value to a sample, which may be the sum of several zones. BAR is the value's
 * error bar; VARIANCE is the part of it that is noise. The value counts by its SHARE, because a
 * merged profile is the mean of its runs.
 */
void mean_measure(struct mean_sample *m, double value, double bar, double variance, double share);

void mean_add(struct mean_sum *s, const struct mean_sample *m);

/* The mean over all SAMPLES samples. In a sample without this number, it counts as 0. */
struct mean mean_of(const struct mean_sum *s, size_t samples);

#endif
