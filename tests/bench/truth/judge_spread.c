/* SPDX-License-Identifier: MIT */
/* judge_spread.c - whether runs of one program agree with each other within their bars. */
#include "tests/bench/truth/judge.h"

#include <math.h>
#include <stdlib.h>

struct share {
	double shown, error;
};

/* Shares of the chosen functions in one run. */
static bool read_run(const char *path, const char *const *names, size_t count, struct share *shares)
{
	struct judge *run = calloc(1, sizeof(*run));
	double sum = 0;

	if (!run || !judge_read_shown(run, path)) {
		free(run);
		return false;
	}
	for (size_t i = 0; i < run->count; i++)
		sum += fmax(run->functions[i].shown, 0);
	for (size_t i = 0; i < count; i++) {
		const struct judged *d = judge_function(run, names[i]);

		shares[i] = (struct share){0, 0};
		if (d && sum > 0)
			shares[i] = (struct share){100 * d->shown / sum, 100 * d->error / sum};
	}
	free(run);
	return true;
}

/* The functions with the largest shares as shown. */
static size_t choose(const struct judge *j, const char **names)
{
	bool *taken = calloc(j->count + 1, sizeof(*taken));
	size_t n = 0;

	while (taken && n < JUDGE_FIRST && n < j->count) {
		size_t best = j->count;

		for (size_t i = 0; i < j->count; i++)
			if (!taken[i] && (best == j->count || j->functions[i].shown_share >
								  j->functions[best].shown_share))
				best = i;
		taken[best] = true;
		names[n++] = j->functions[best].name;
	}
	free(taken);
	return n;
}

bool judge_spread(const struct judge *j, const char *const *paths, size_t runs, struct spread *s)
{
	const char *names[JUDGE_FIRST];
	size_t count = choose(j, names);
	struct share(*shares)[JUDGE_FIRST] = calloc(runs, sizeof(*shares));
	bool good = shares;

	*s = (struct spread){.runs = runs};
	for (size_t r = 0; good && r < runs; r++)
		good = read_run(paths[r], names, count, shares[r]);
	for (size_t a = 0; good && a < runs; a++)
		for (size_t b = a + 1; b < runs; b++)
			for (size_t i = 0; i < count; i++) {
				double apart = fabs(shares[a][i].shown - shares[b][i].shown);

				s->pairs++;
				s->within += apart <= hypot(shares[a][i].error, shares[b][i].error);
				if (apart > s->widest) {
					s->widest = apart;
					s->name = names[i];
				}
			}
	free(shares);
	return good;
}
