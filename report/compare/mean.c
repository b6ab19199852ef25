/* SPDX-License-Identifier: MIT */
/* mean.c - see mean.h. */
#include "report/compare/mean.h"

#include <math.h>

#include "report/core/times/cost.h"

void mean_measure(struct mean_sample *m, double value, double bar, double variance, double share)
{
	m->value += value * share;
	m->bias += sqrt(fmax(0, bar * bar - cost_bar(0, variance) * cost_bar(0, variance))) * share;
	m->variance += variance * share * share;
}

void mean_add(struct mean_sum *s, const struct mean_sample *m)
{
	double value = m->value;
	if (!s->seen++)
		s->first = value;
	s->sum += value - s->first;
	s->squares += (value - s->first) * (value - s->first);
	s->biases += m->bias;
	s->variances += m->variance;
}

/* Student's t: how many standard errors of a mean of N + 2 samples cover 95 of 100 cases. */
static double student(size_t samples)
{
	static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
				   2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};
	size_t n = samples - 2;
	return n < sizeof t / sizeof *t ? t[n] : MEAN_SIGMAS + 2.4 / (double)(samples - 1);
}

struct mean mean_of(const struct mean_sum *s, size_t samples)
{
	if (!s->seen)
		return (struct mean){0};
	double n = (double)samples, absent = (double)(samples - s->seen);
	double sum = s->sum - absent * s->first,
	       squares = s->squares + absent * s->first * s->first;
	double spread = samples > 1 ? (squares - sum * sum / n) / (n - 1) : 0;
	double noise = spread > 0 ? student(samples) * sqrt(spread / n) : 0;
	double within = s->variances > 0 ? cost_bar(0, s->variances) / n : 0;
	return (struct mean){s->first + sum / n, hypot(s->biases / n, fmax(noise, within))};
}
