/* SPDX-License-Identifier: MIT */
/* bench_print.c - the tables for people. */
#include "tests/bench/bench.h"

#include <string.h>

enum { VERDICTS_MAX = 64 };

static bool column_chosen(const struct bench *b, size_t w)
{
	for (size_t v = 0; v < variant_count; v++)
		if (b->cells[w][v].chosen)
			return true;
	return false;
}

static bool print_added(const struct bench *b, int w, int v, char *to, size_t bytes, bool median)
{
	double min_ns, median_ns;

	if (variants[v].kind == VARIANT_BASE || !bench_added(b, w, v, &min_ns, &median_ns))
		return false;
	snprintf(to, bytes, "%.1f", median ? median_ns : min_ns);
	return true;
}

static bool print_min(const struct bench *b, int w, int v, char *to, size_t bytes)
{
	return print_added(b, w, v, to, bytes, false);
}

static bool print_median(const struct bench *b, int w, int v, char *to, size_t bytes)
{
	return print_added(b, w, v, to, bytes, true);
}

static bool print_ratio(const struct bench *b, int w, int v, char *to, size_t bytes)
{
	double ratio;

	if (!bench_ratio(b, w, v, &ratio))
		return false;
	snprintf(to, bytes, "%.2f", ratio);
	return true;
}

static bool print_times(const struct bench *b, int w, int v, char *to, size_t bytes)
{
	double times;

	if (variants[v].kind == VARIANT_BASE || !bench_times(b, w, v, &times))
		return false;
	snprintf(to, bytes, "%.2f", times);
	return true;
}

/* `print` writes one cell; false: it has no figure. Rows without figures are left out. */
static void table(const struct bench *b, FILE *to, const char *title,
		  bool (*print)(const struct bench *b, int w, int v, char *to, size_t bytes))
{
	char text[32];

	fprintf(to, "\n%s\n%-24s", title, "");
	for (size_t w = 0; w < workload_count; w++)
		if (column_chosen(b, w))
			fprintf(to, " %9s", workloads[w].name);
	fputc('\n', to);
	for (size_t v = 0; v < variant_count; v++) {
		bool any = false;

		for (size_t w = 0; w < workload_count; w++)
			any |= print(b, (int)w, (int)v, text, sizeof(text));
		if (!any)
			continue;
		fprintf(to, "%-24s", variants[v].name);
		for (size_t w = 0; w < workload_count; w++)
			if (column_chosen(b, w))
				fprintf(to, " %9s",
					print(b, (int)w, (int)v, text, sizeof(text)) ? text : "-");
		fputc('\n', to);
	}
}

/* One line per reason, with the workloads it holds for. */
static void print_missing(const struct bench *b, FILE *to)
{
	bool titled = false;

	for (size_t v = 0; v < variant_count; v++)
		for (size_t w = 0; w < workload_count; w++) {
			const char *why = b->cells[w][v].why;
			bool said = false;

			for (size_t i = 0; i < w; i++)
				said |= !strcmp(b->cells[i][v].why, why);
			if (!*why || said)
				continue;
			fprintf(to, "%s%-24s %s:", titled ? "" : "\nnot measured\n",
				variants[v].name, why);
			titled = true;
			for (size_t i = w; i < workload_count; i++)
				if (!strcmp(b->cells[i][v].why, why))
					fprintf(to, " %s", workloads[i].name);
			fputc('\n', to);
		}
}

static void print_verdicts(const struct bench *b, FILE *to)
{
	struct verdict all[VERDICTS_MAX];
	size_t n = bench_verdicts(b, all, VERDICTS_MAX);

	if (n)
		fprintf(to, "\n%-12s %8s %8s\n", "limits", "figure", "limit");
	for (size_t i = 0; i < n; i++)
		if (all[i].measured)
			fprintf(to, "%-12s %8.2f %8.2f   %s\n", all[i].met ? "met" : "NOT MET",
				all[i].figure, all[i].limit, all[i].what);
		else
			fprintf(to, "%-12s %8s %8s   %s\n", "not measured", "", "", all[i].what);
}

void bench_print(const struct bench *b, FILE *to)
{
	fprintf(to, "%s\n%u rounds, interleaved, of %u slices of %lu calls\n", b->machine,
		b->rounds, b->slices, b->pairs);
	table(b, to, "added ns for a call and its return, the quickest slice", print_min);
	table(b, to, "added ns for a call and its return, median of the runs", print_median);
	table(b, to, "times what the floor adds", print_ratio);
	table(b, to, "times the program takes, against not instrumented", print_times);
	print_missing(b, to);
	print_verdicts(b, to);
}
