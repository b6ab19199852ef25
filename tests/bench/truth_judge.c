/* SPDX-License-Identifier: MIT */
/*
 * truth_judge.c - holds the self times of a profile against the truth that truth.c wrote:
 *
 *   truth_judge WHAT TRUTH REPORT.json
 *
 * Prints what was found and, a line each, whether the project's limits for it are met. Shares are
 * of the time of the functions in the truth. A bar's width is in parts of the true time. The truth
 * is itself known to a thousandth only: what a call costs when its code has not run for a while is
 * no part of it.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 128 };

static struct zone {
	char name[64];
	double calls, true_ns, self_ns, error_ns;
	bool found;
} zones[MAX];
static int count;

static bool read_truth(const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f)
		return false;
	while (count < MAX && fscanf(f, "%63s %lf %lf", zones[count].name, &zones[count].calls,
				     &zones[count].true_ns) == 3)
		count++;
	fclose(f);
	return count > 0;
}

static bool read_report(const char *path)
{
	json_error_t error;
	json_t *whole = json_load_file(path, 0, &error), *function;
	const char *name;
	double self_ns, error_ns;
	size_t i;

	if (!whole)
		return false;
	json_array_foreach(json_object_get(whole, "functions"), i, function)
	{
		if (json_unpack(function, "{s:s, s:F, s:F}", "name", &name, "self_ns", &self_ns,
				"error_ns", &error_ns))
			continue;
		for (int z = 0; z < count; z++)
			if (!strcmp(zones[z].name, name)) {
				zones[z].self_ns = self_ns;
				zones[z].error_ns = error_ns;
				zones[z].found = true;
			}
	}
	json_decref(whole);
	return true;
}

static void limit(const char *what, bool met, const char *text, double figure, const char *bound)
{
	printf("%-12s %8.2f %8s   %s: %s\n", met ? "met" : "NOT MET", figure, bound, what, text);
}

/* Every function's part of the whole, as a ratio to its true part. */
static void judge_shares(const char *what, double true_sum, double sum)
{
	bool order = true;
	char text[160];

	for (int z = 0; z < count; z++) {
		double ratio = zones[z].self_ns / sum / (zones[z].true_ns / true_sum);

		for (int y = 0; y < count; y++)
			order &= (zones[z].true_ns < zones[y].true_ns) ==
				 (zones[z].self_ns < zones[y].self_ns);
		snprintf(text, sizeof(text), "the share of %.60s, times the truth (%.1f %%)",
			 zones[z].name, 100 * zones[z].true_ns / true_sum);
		limit(what, fabs(ratio - 1) <= 0.15, text, ratio, "+-0.15");
	}
	limit(what, order, "the order is right", order, "1");
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How far a call's time is off: the median over the functions, and where nine of ten lie. */
static void print_differences(const char *what)
{
	double each[MAX], bars[MAX];

	for (int z = 0; z < count; z++) {
		each[z] = (zones[z].self_ns - zones[z].true_ns) / zones[z].calls;
		bars[z] = zones[z].error_ns / zones[z].calls;
	}
	qsort(each, (size_t)count, sizeof(each[0]), by_size);
	qsort(bars, (size_t)count, sizeof(bars[0]), by_size);
	printf("%-12s a call is shown %.1f ns longer than the truth (median; nine of ten: %.1f to "
	       "%.1f), the bars say +-%.1f\n",
	       what, each[count / 2], each[count / 20], each[count - 1 - count / 20],
	       bars[count / 2]);
}

int main(int argc, char **argv)
{
	double true_sum = 0, sum = 0, widths = 0, widest = 0;
	int inside = 0, large = 0, found = 0;

	if (argc != 4 || !read_truth(argv[2]) || !read_report(argv[3])) {
		fprintf(stderr, "usage: truth_judge WHAT TRUTH REPORT.json, both files readable\n");
		return 2;
	}
	for (int z = 0; z < count; z++) {
		true_sum += zones[z].true_ns;
		sum += zones[z].self_ns;
		found += zones[z].found;
	}
	for (int z = 0; z < count; z++) {
		double width = zones[z].error_ns / zones[z].true_ns;

		inside += fabs(zones[z].self_ns - zones[z].true_ns) <=
			  zones[z].error_ns + 0.001 * zones[z].true_ns;
		if (zones[z].true_ns < 0.01 * true_sum)
			continue;
		large++;
		widths += width;
		widest = fmax(widest, width);
	}
	if (count <= 3)
		for (int z = 0; z < count; z++)
			printf("%-12s %s: truth %.2f ms, shown %.2f ms +- %.2f ms\n", argv[1],
			       zones[z].name, zones[z].true_ns / 1e6, zones[z].self_ns / 1e6,
			       zones[z].error_ns / 1e6);
	else
		print_differences(argv[1]);
	if (found < count)
		printf("%-12s %d of %d functions are not in the profile\n", argv[1], count - found,
		       count);
	limit(argv[1], inside >= 0.95 * count, "error bars that hold the truth, %",
	      100.0 * inside / count, ">= 95");
	limit(argv[1], large && widths / large <= 0.10,
	      "width of the bars of functions above 1 %, average, %", 100 * widths / large, "10");
	if (count <= 3)
		judge_shares(argv[1], true_sum, sum);
	return 0;
}
