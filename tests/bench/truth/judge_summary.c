/* SPDX-License-Identifier: MIT */
/*
 * judge_summary.c - one line per profiler for all programs: the project's limits apply to these.
 *
 * Limits, for zprof alone: at most 8 points off with the noise taken off, 13 on tcc, whose functions
 * are all tiny; nearer than every peer that counts calls; bars that hold for 90 % of the functions
 * above 1 %; none of the first ten in the wrong order; runs within their bars of each other.
 */
#include "tests/bench/truth/judge_cells.h"

#include <math.h>
#include <string.h>

#define FAR      8.0
#define FAR_TCC  13.0
#define HOLDING  0.90
#define AGREEING 0.95

enum { LINES_MAX = 64 };

struct line {
	const json_t *first;
	double net, worst, over, held, large, wrong, within, pairs;
	const char *worst_program;
	int programs, compared, beaten;
};

static bool is_zprof(const json_t *cell)
{
	return !strncmp(cell_text(cell, "shower"), "zprof", 5);
}

static bool is_tcc(const json_t *cell)
{
	return !strncmp(cell_text(cell, "program"), "tcc ", 4);
}

static bool same_load(const json_t *a, const json_t *b)
{
	return !strcmp(cell_text(a, "front"), cell_text(b, "front")) &&
	       cell_number(a, "spinners") == cell_number(b, "spinners");
}

/* Whether a peer that counts calls is nearer to the truth of the same program. */
/* -1 where no such peer was measured. */
static int is_beaten(const json_t *cells, const json_t *cell)
{
	const json_t *peer;
	int beaten = -1;
	size_t i;

	json_array_foreach(cells, i, peer)
	{
		const char *shower = cell_text(peer, "shower");

		if ((!strcmp(shower, "gprof") || !strcmp(shower, "uftrace")) &&
		    json_object_get(peer, "net") && same_load(cell, peer) &&
		    !strcmp(cell_text(cell, "program"), cell_text(peer, "program")) && beaten < 1)
			beaten = cell_number(peer, "net") < cell_number(cell, "net");
	}
	return beaten;
}

static void add(struct line *l, const json_t *cells, const json_t *cell)
{
	double net = cell_number(cell, "net");

	l->programs++;
	l->net += net;
	if (net >= l->worst) {
		l->worst = net;
		l->worst_program = cell_text(cell, "program");
	}
	l->over += net > (is_tcc(cell) ? FAR_TCC : FAR);
	l->held += cell_number(cell, "held");
	l->large += cell_number(cell, "large");
	l->wrong += cell_number(cell, "order_wrong");
	l->within += cell_number(cell, "spread_within");
	l->pairs += cell_number(cell, "spread_pairs");
	if (!is_tcc(cell)) {
		int beaten = is_beaten(cells, cell);

		l->compared += beaten >= 0;
		l->beaten += beaten > 0;
	}
}

static void print_line(FILE *to, const struct line *l)
{
	char bars[16] = "-", runs[16] = "-", load[24] = "";

	if (json_object_get(l->first, "held") && l->large > 0)
		snprintf(bars, sizeof(bars), "%.0f %%", 100 * l->held / l->large);
	if (l->pairs > 0)
		snprintf(runs, sizeof(runs), "%.1f %%", 100 * l->within / l->pairs);
	if (cell_number(l->first, "spinners") > 0)
		snprintf(load, sizeof(load), "shared core");
	fprintf(to, "%-24s %-8s%-13s%8.1f%8.1f  %-18s%8s%10.0f%10s\n",
		cell_text(l->first, "shower"), cell_text(l->first, "front"), load,
		l->net / l->programs, l->worst, l->worst_program, bars, l->wrong, runs);
}

static void limit(FILE *to, bool met, const struct line *l, const char *what)
{
	fprintf(to, "%-8s %s, %s%s: %s\n", met ? "met" : "NOT MET", cell_text(l->first, "shower"),
		cell_text(l->first, "front"),
		cell_number(l->first, "spinners") > 0 ? ", shared core" : "", what);
}

static void print_limits(FILE *to, const struct line *l)
{
	limit(to, !l->over, l, "at most 8 points off, 13 on tcc");
	if (l->compared)
		limit(to, !l->beaten, l, "nearer than gprof and uftrace");
	limit(to, l->held >= HOLDING * l->large, l,
	      "bars hold for 90 % of the functions above 1 %");
	limit(to, l->wrong <= 0, l, "the first ten are in the right order");
	if (l->pairs > 0)
		limit(to, l->within >= AGREEING * l->pairs, l,
		      "single runs agree within their bars, 95 % of the times");
}

bool judge_summary(const char *path, FILE *to)
{
	static struct line lines[LINES_MAX];
	json_t *cells = judge_load(path);
	const json_t *cell;
	size_t count = 0, i, l;

	if (!cells)
		return false;
	json_array_foreach(cells, i, cell)
	{
		if (!json_object_get(cell, "net"))
			continue;
		for (l = 0; l < count; l++)
			if (same_load(lines[l].first, cell) &&
			    !strcmp(cell_text(lines[l].first, "shower"), cell_text(cell, "shower")))
				break;
		if (l == LINES_MAX)
			break;
		if (l == count)
			lines[count++].first = cell;
		add(&lines[l], cells, cell);
	}
	fprintf(to, "\n%-45s%8s%8s  %-18s%8s%10s%10s\n", "all programs, points net of noise",
		"mean", "worst", "on", "bars", "misorder", "runs");
	for (l = 0; l < count; l++)
		print_line(to, &lines[l]);
	fputc('\n', to);
	for (l = 0; l < count; l++)
		if (is_zprof(lines[l].first))
			print_limits(to, &lines[l]);
	json_decref(cells);
	return true;
}
