/* SPDX-License-Identifier: MIT */
#include "tests/bench/truth/judge.h"

#include <math.h>
#include <stdlib.h>

#include "report/core/times/cost.h"
#include "report/second_run/chance.h"

/* Half the width of a 95 % bar, in standard deviations. */
#define BAR 1.96

static int by_truth(const void *a, const void *b)
{
	const struct judged *x = a, *y = b;

	if (x->truth_share != y->truth_share)
		return x->truth_share < y->truth_share ? 1 : -1;
	return (x->shown_share < y->shown_share) - (x->shown_share > y->shown_share);
}

static double share(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static double quadrature(double a, double b)
{
	return sqrt(a * a + b * b);
}

static double net_of(double distance, double noise)
{
	return distance > noise ? sqrt(distance * distance - noise * noise) : 0;
}

double judge_noise(const struct judge *j, double samples, double others)
{
	double sum = 0;

	for (size_t i = 0; i < j->count; i++)
		sum += chance_apart(j->functions[i].truth_share / 100, samples, others);
	return sum / 2;
}

static void find_shares(struct judge *j, struct figures *f, double halves[2])
{
	double shown = 0, brackets = 0;

	for (size_t i = 0; i < j->count; i++) {
		halves[0] += j->functions[i].samples[0];
		halves[1] += j->functions[i].samples[1];
		shown += fmax(j->functions[i].shown, 0);
	}
	for (size_t i = 0; i < j->bracket_count; i++)
		brackets += j->brackets[i].shown;
	for (size_t i = 0; i < j->bracket_count; i++)
		j->brackets[i].share = share(j->brackets[i].shown, shown + brackets);
	f->truth_samples = j->truth_is_known ? 0 : halves[0] + halves[1];
	for (size_t i = 0; i < j->count; i++) {
		struct judged *d = &j->functions[i];
		double p = (d->samples[0] + d->samples[1]) / (halves[0] + halves[1]);

		d->truth_share = 100 * p;
		d->shown_share = share(d->shown, shown);
		d->error_share =
		    shown > 0 ? 100 * cost_share_bar(d->shown, d->error, shown, j->whole_error) : 0;
		d->truth_error =
		    f->truth_samples > 0 ? 100 * BAR * sqrt(p * (1 - p) / f->truth_samples) : 0;
		d->held = fabs(d->shown_share - d->truth_share) <=
			  quadrature(d->error_share, d->truth_error);
	}
}

static void judge_bars(const struct judge *j, struct figures *f)
{
	for (size_t i = 0; i < j->count; i++) {
		const struct judged *d = &j->functions[i];

		if (d->truth_share < JUDGE_LARGE)
			continue;
		f->large++;
		f->held += d->held;
		f->widest = fmax(f->widest, d->error_share);
		f->width += d->error_share;
	}
	if (f->large)
		f->width /= (double)f->large;
}

/* Of the truth's first functions: pairs that the truth tells apart and whose shown times differ by
 * more than their bars, and how many of these stand in the wrong order. */
static void judge_order(const struct judge *j, struct figures *f)
{
	size_t first = j->count < JUDGE_FIRST ? j->count : JUDGE_FIRST;

	for (size_t a = 0; a < first; a++)
		for (size_t b = a + 1; b < first; b++) {
			const struct judged *x = &j->functions[a], *y = &j->functions[b];
			double by = x->shown_share - y->shown_share;

			if (x->truth_share - y->truth_share <=
				quadrature(x->truth_error, y->truth_error) ||
			    fabs(by) <= quadrature(x->error_share, y->error_share))
				continue;
			f->pairs++;
			f->wrong += by < 0;
		}
}

void judge_figures(struct judge *j, struct figures *f)
{
	double halves[2] = {0, 0};

	*f = (struct figures){.distance = 0};
	find_shares(j, f, halves);
	qsort(j->functions, j->count, sizeof(j->functions[0]), by_truth);
	for (size_t i = 0; i < j->count; i++) {
		const struct judged *d = &j->functions[i];

		f->distance += fabs(fmax(d->shown_share, 0) - d->truth_share) / 2;
		if (halves[0] > 0 && halves[1] > 0)
			f->repeat +=
			    50 * fabs(d->samples[0] / halves[0] - d->samples[1] / halves[1]);
	}
	f->noise = judge_noise(j, f->truth_samples, j->shown_samples);
	f->net = net_of(f->distance, f->noise);
	if (halves[0] > 0 && halves[1] > 0)
		f->repeat_noise = judge_noise(j, halves[0], halves[1]);
	f->repeat_net = net_of(f->repeat, f->repeat_noise);
	judge_bars(j, f);
	judge_order(j, f);
	if (j->count) {
		f->first_truth = j->functions[0].truth_share;
		f->first_shown = j->functions[0].shown_share;
	}
}
