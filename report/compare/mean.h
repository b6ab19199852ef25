/* SPDX-License-Identifier: MIT */
/*
 * mean.h - the mean of a number over several runs of a program, and how far off it may be.
 *
 * The error bar of a mean has two parts. What is unknown of the cost of the hooks is the same in
 * all samples, and more of them do not make it smaller: their mean bar. What differs from run to
 * run, the machine's noise, does get smaller: Student's t for 95 %, times the deviation of the
 * samples, divided by the square root of their number. One sample says nothing of the second part;
 * then the variance within it is taken (cost.h).
 *
 *     runs      100   104   102      each with a bar of 3, of which 2 are the hooks', alike in all
 *     mean      102, noise +-5 (t = 4.3 of deviation 2 / root of 3), hooks +-2:  102 +-5.4
 */
#ifndef REPORT_MEAN_H
#define REPORT_MEAN_H

#include <stddef.h>

/* Half the width of the bar of a mean covers 95 of 100 cases: so many standard errors. */
#define MEAN_SIGMAS 1.96

/*
 * One sample: its value, the part of its error bar that all samples have alike, and the variance of
 * the rest.
 */
struct mean_sample {
	double value, bias, variance;
};

/*
 * The samples of one number, added up. Differences to the first sample keep equal samples exactly
 * equal.
 */
struct mean_sum {
	size_t seen; /* samples that had the number; in the others it was zero */
	double first, sum, squares;
	double biases;    /* from what is not known of the hooks: the same in all samples */
	double variances; /* of the samples themselves: see cost.h */
};

struct mean {
	double value, bar;
};

/*
 * Adds a measured value to a sample: values of several zones, say, that are one row. VALUE has that
 * BAR, of which VARIANCE is the noise's; it counts by its SHARE: a merged profile is the mean of
 * its runs.
 */
void mean_measure(struct mean_sample *m, double value, double bar, double variance, double share);

void mean_add(struct mean_sum *s, const struct mean_sample *m);

/* SAMPLES is how many there were, with those that did not have the number. */
struct mean mean_of(const struct mean_sum *s, size_t samples);

#endif
