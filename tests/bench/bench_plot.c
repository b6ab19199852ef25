/* SPDX-License-Identifier: MIT */
/*
 * bench_plot.c - a run as a picture: a row per variant, a dot per workload: ns added to a call, on
 * a logarithmic scale. The first workload's dot is full and has its figure beside the row.
 *
 * Real programs are left out: what a call costs there also depends on optimizations that hooks
 * prevent.
 */
#include "tests/bench/bench.h"

#include <math.h>

enum {
	WIDTH = 860,
	LEFT = 190,
	RIGHT = 90,
	TOP = 64,
	ROW = 24,
	GAP = 14,
	BOTTOM = 62,
};

static const double scale_min = 1, scale_max = 1000;

static const char *const colours[] = {
    [VARIANT_BASE] = "#000000",
    [VARIANT_FLOOR] = "#777777",
    [VARIANT_ZPROF] = "#0b62a4",
    [VARIANT_PEER] = "#c2571a",
};

static double x_of(double ns)
{
	double at = ns < scale_min ? scale_min : ns > scale_max ? scale_max : ns;

	return LEFT + (WIDTH - LEFT - RIGHT) * log(at / scale_min) / log(scale_max / scale_min);
}

/* ns the variant adds to a call of the workload, if it is shown. */
static bool figure(const struct bench *b, size_t w, size_t v, double *ns)
{
	double median;

	return variants[v].kind != VARIANT_BASE && !workloads[w].slowdown_counts &&
	       bench_added(b, (int)w, (int)v, ns, &median);
}

/* The ends of the row's dots. False: it has none. */
static bool extent(const struct bench *b, size_t v, double *least, double *most)
{
	bool any = false;
	double ns;

	for (size_t w = 0; w < workload_count; w++) {
		if (!figure(b, w, v, &ns))
			continue;
		*least = !any || ns < *least ? ns : *least;
		*most = !any || ns > *most ? ns : *most;
		any = true;
	}
	return any;
}

static void draw_row(const struct bench *b, FILE *to, size_t v, double y)
{
	const char *colour = colours[variants[v].kind];
	double least = 0, most = 0, ns;

	extent(b, v, &least, &most);
	fprintf(to, "<text x='%d' y='%.1f' text-anchor='end'>%s%s</text>\n", LEFT - 12, y + 4,
		variants[v].kind == VARIANT_ZPROF ? "zprof " : "", variants[v].name);
	fprintf(to,
		"<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='2' "
		"stroke-opacity='.35'/>\n",
		x_of(least), y, x_of(most), y, colour);
	for (size_t w = workload_count; w-- > 0;)
		if (figure(b, w, v, &ns))
			fprintf(to,
				"<circle cx='%.1f' cy='%.1f' r='%s' stroke='%s' fill='%s'>"
				"<title>%s, %s: %.1f ns</title></circle>\n",
				x_of(ns), y, w ? "3.5" : "5", colour, w ? "#ffffff" : colour,
				variants[v].name, workloads[w].name, ns);
	if (figure(b, 0, v, &ns))
		fprintf(to, "<text x='%d' y='%.1f' text-anchor='end' fill='%s'>%.*f ns</text>\n",
			WIDTH - 16, y + 4, colour, ns < 100 ? 1 : 0, ns);
}

static void draw_scale(FILE *to, double y_end)
{
	static const double marks[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		fprintf(to,
			"<line x1='%.1f' y1='%d' x2='%.1f' y2='%.1f' stroke='#dddddd'/>\n"
			"<text x='%.1f' y='%.1f' text-anchor='middle' fill='#555555'>%g</text>\n",
			x_of(marks[i]), TOP - 12, x_of(marks[i]), y_end, x_of(marks[i]), y_end + 16,
			marks[i]);
}

void bench_plot(const struct bench *b, FILE *to)
{
	double y = TOP, least, most;
	enum variant_kind kind = VARIANT_BASE;
	double rows[BENCH_VARIANTS_MAX] = {0};

	for (size_t v = 0; v < variant_count; v++) {
		if (!extent(b, v, &least, &most))
			continue;
		if (kind != VARIANT_BASE)
			y += variants[v].kind == kind ? ROW : ROW + GAP;
		kind = variants[v].kind;
		rows[v] = y;
	}
	fprintf(to,
		"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %.0f' width='%d' "
		"height='%.0f' font-family='sans-serif' font-size='12'>\n"
		"<rect width='100%%' height='100%%' fill='#ffffff'/>\n"
		"<text x='16' y='26' font-size='15' font-weight='bold'>What a profiler adds to a "
		"call and its return, in nanoseconds</text>\n",
		WIDTH, y + BOTTOM, WIDTH, y + BOTTOM);
	fprintf(to, "<text x='%d' y='%d' text-anchor='end' fill='#555555'>%s</text>\n", WIDTH - 16,
		TOP - 20, workloads[0].name);
	fprintf(to, "<text x='16' y='44' font-size='10' fill='#555555'>%s; %u rounds</text>\n",
		b->machine, b->rounds);
	draw_scale(to, y + 14);
	for (size_t v = 0; v < variant_count; v++)
		if (rows[v] > 0)
			draw_row(b, to, v, rows[v]);
	fprintf(to, "<text x='16' y='%.1f' fill='#555555'>Full: %s; the others:", y + BOTTOM - 12,
		workloads[0].what);
	for (size_t w = 1; w < workload_count; w++)
		if (!workloads[w].slowdown_counts)
			fprintf(to, "%s %s", w > 1 ? "," : "", workloads[w].name);
	fputs(". Log scale.</text>\n</svg>\n", to);
}
