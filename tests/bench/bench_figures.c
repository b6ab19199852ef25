/* SPDX-License-Identifier: MIT */
/* bench_figures.c - what is derived from the slices' times, and the limits for it. */
#include "tests/bench/bench.h"

bool bench_has(const struct bench *b, int w, int v)
{
	return w >= 0 && v >= 0 && b->cells[w][v].chosen && b->cells[w][v].min_ns > 0;
}

static int base_of(int v)
{
	return bench_variant(variants[v].base);
}

bool bench_added(const struct bench *b, int w, int v, double *min_ns, double *median_ns)
{
	const struct cell *c, *base;

	if (!bench_has(b, w, v) || !bench_has(b, w, base_of(v)) || !b->cells[w][v].pairs)
		return false;
	c = &b->cells[w][v];
	base = &b->cells[w][base_of(v)];
	*min_ns = (c->min_ns - base->min_ns) / (double)c->pairs;
	*median_ns = (c->median_ns - base->median_ns) / (double)c->pairs;
	return true;
}

bool bench_times(const struct bench *b, int w, int v, double *times)
{
	if (!bench_has(b, w, v) || !bench_has(b, w, base_of(v)))
		return false;
	*times = b->cells[w][v].min_ns / b->cells[w][base_of(v)].min_ns;
	return true;
}

bool bench_ratio(const struct bench *b, int w, int v, double *ratio)
{
	double added, floor, median;

	if (!variants[v].floor || !bench_added(b, w, v, &added, &median) ||
	    !bench_added(b, w, bench_variant(variants[v].floor), &floor, &median) || floor <= 0)
		return false;
	*ratio = added / floor;
	return true;
}

struct list {
	struct verdict *to;
	size_t max, used;
};

/* A figure that must be at most (or, strictly, less than) the limit. */
static void judge(struct list *l, bool measured, double figure, double limit, bool strictly,
		  const char *what, const char *workload)
{
	struct verdict *v = &l->to[l->used];

	if (l->used == l->max)
		return;
	l->used++;
	v->measured = measured;
	v->figure = measured ? figure : 0;
	v->limit = limit;
	v->met = measured && (strictly ? figure < limit : figure <= limit);
	snprintf(v->what, sizeof(v->what), "%s, %s", workload, what);
}

static void judge_floors(const struct bench *b, struct list *l)
{
	int exact = bench_variant("exact"), count = bench_variant("count"),
	    empty = bench_variant("empty hooks");
	double ratio = 0, added, floor, median;

	for (size_t w = 0; w < workload_count; w++)
		if (workloads[w].exact_limit > 0 && b->cells[w][exact].chosen) {
			bool measured = bench_ratio(b, (int)w, exact, &ratio);

			judge(l, measured, ratio, workloads[w].exact_limit, false,
			      "exact: times the rdtsc and store floor", workloads[w].name);
		}
	for (size_t w = 0; w < workload_count; w++)
		if (workloads[w].count_limit > 0 && b->cells[w][count].chosen) {
			bool measured = bench_added(b, (int)w, count, &added, &median) &&
					bench_added(b, (int)w, empty, &floor, &median);

			judge(l, measured, measured ? added - floor : 0, workloads[w].count_limit,
			      false, "count: ns over the empty hooks", workloads[w].name);
		}
}

static void judge_threads(const struct bench *b, struct list *l)
{
	int exact = bench_variant("exact"), one = bench_workload("leaf"),
	    two = bench_workload("threads");
	double first = 0, second = 0, median;
	bool measured;

	if (!b->cells[two][exact].chosen)
		return;
	measured = bench_added(b, one, exact, &first, &median) &&
		   bench_added(b, two, exact, &second, &median) && first > 0;
	judge(l, measured, measured ? second / first : 0, 1.05, false,
	      "exact: a call in two threads, times one in one", "threads");
}

/* Counting against gprof: added ns per call, or times slower. */
static void judge_count(const struct bench *b, struct list *l)
{
	static const char *const small[] = {"leaf", "fib"};
	int gprof = bench_variant("gprof");
	double ours = 0, theirs = 0, median;

	for (size_t i = 0; i < 2; i++) {
		int w = bench_workload(small[i]), v = bench_variant("count");
		bool measured = bench_added(b, w, v, &ours, &median) &&
				bench_added(b, w, gprof, &theirs, &median);

		if (b->cells[w][v].chosen)
			judge(l, measured, ours, measured ? theirs : 0, true,
			      "count: added ns, against gprof's", small[i]);
	}
	for (size_t w = 0; w < workload_count; w++) {
		int v = bench_variant("fentry: count");
		bool measured = workloads[w].slowdown_counts && bench_times(b, (int)w, v, &ours) &&
				bench_times(b, (int)w, gprof, &theirs);

		if (workloads[w].slowdown_counts && b->cells[w][v].chosen)
			judge(l, measured, ours, measured ? theirs : 0, true,
			      "count after inlining: times slower, against gprof's",
			      workloads[w].name);
	}
}

size_t bench_verdicts(const struct bench *b, struct verdict *to, size_t max)
{
	struct list l = {to, max, 0};

	judge_floors(b, &l);
	judge_threads(b, &l);
	judge_count(b, &l);
	return l.used;
}
