/* SPDX-License-Identifier: MIT */
/* judge_table.c - what cells found, a table per program. */
#include "tests/bench/truth/judge_cells.h"

#include <math.h>
#include <string.h>

/* Right-aligned; a dash if the cell has no such figure. */
static void column(FILE *to, int width, const json_t *cell, const char *name, const char *format)
{
	char figure[32] = "-";

	if (json_object_get(cell, name))
		snprintf(figure, sizeof(figure), format, cell_number(cell, name));
	fprintf(to, "%*s", width, figure);
}

/* Runs of one program against each other. */
static void print_spread(FILE *to, const json_t *cell)
{
	if (!json_object_get(cell, "single_runs"))
		return;
	fprintf(
	    to,
	    "%-28s%.0f runs: the first ten are within their bars of each other in %.1f %% of %.0f "
	    "pairs; %.40s lies %.1f points apart\n",
	    "", cell_number(cell, "single_runs"),
	    100 * cell_number(cell, "spread_within") / fmax(1, cell_number(cell, "spread_pairs")),
	    cell_number(cell, "spread_pairs"), cell_text(cell, "spread_function"),
	    cell_number(cell, "spread_widest"));
}

static void print_brackets(FILE *to, const json_t *cell)
{
	const char *name;
	json_t *share;

	json_object_foreach(json_object_get(cell, "brackets"), name, share)
	    fprintf(to, "  %s %.1f", name, json_number_value(share));
}

static void print_row(FILE *to, const json_t *cell)
{
	char part[32] = "-";

	fprintf(to, "%-28.28s", cell_text(cell, "shower"));
	if (json_object_get(cell, "missing")) {
		fprintf(to, "  %s\n", cell_text(cell, "missing"));
		return;
	}
	column(to, 9, cell, "distance", "%.1f");
	column(to, 7, cell, "noise", "%.1f");
	column(to, 7, cell, "net", "%.1f");
	if (json_object_get(cell, "held"))
		snprintf(part, sizeof(part), "%.0f of %.0f", cell_number(cell, "held"),
			 cell_number(cell, "large"));
	fprintf(to, "%11s", part);
	column(to, 7, cell, "bar_mean", "%.1f");
	snprintf(part, sizeof(part), "%.0f of %.0f", cell_number(cell, "order_wrong"),
		 cell_number(cell, "order_pairs"));
	fprintf(to, "%10s", part);
	column(to, 9, cell, "first_shown", "%.1f");
	column(to, 8, cell, "times", "%.2f");
	column(to, 9, cell, "kib", "%.0f");
	print_brackets(to, cell);
	fputc('\n', to);
	print_spread(to, cell);
}

static const char *front_words(const char *front)
{
	if (!strcmp(front, "fentry"))
		return "after inlining";
	if (!strcmp(front, "entries"))
		return "after inlining, without exits";
	return strcmp(front, "own")
		   ? "of the source's functions"
		   : "of the source's functions, without the C++ library's headers";
}

static void print_head(FILE *to, const json_t *cell)
{
	fprintf(to, "\n%s, hooks %s%s\n", cell_text(cell, "program"),
		front_words(cell_text(cell, "front")),
		cell_number(cell, "spinners") > 0 ? ", one core shared with busy loops" : "");
	if (cell_number(cell, "truth_samples") > 0)
		fprintf(
		    to,
		    "truth: %.0f samples without hooks, %.1f %% of them in the kernel, %.1f %% in no "
		    "function; two builds are %.1f apart, noise %.1f: %.1f net; first: %.1f %%\n",
		    cell_number(cell, "truth_samples"), cell_number(cell, "truth_kernel"),
		    cell_number(cell, "truth_unplaced"), cell_number(cell, "repeat"),
		    cell_number(cell, "repeat_noise"), cell_number(cell, "repeat_net"),
		    cell_number(cell, "first_truth"));
	fprintf(to, "%-28s%9s%7s%7s%11s%7s%10s%9s%8s%9s\n", "points of 100", "distance", "noise",
		"net", "bars hold", "bar", "misorder", "first", "times", "KiB");
}

static bool same_table(const json_t *a, const json_t *b)
{
	return !strcmp(cell_text(a, "program"), cell_text(b, "program")) &&
	       !strcmp(cell_text(a, "front"), cell_text(b, "front")) &&
	       cell_number(a, "spinners") == cell_number(b, "spinners");
}

bool judge_table(const char *path, FILE *to)
{
	json_t *cells = judge_load(path), *cell;
	const json_t *last = NULL;
	size_t i;

	if (!cells)
		return false;
	json_array_foreach(cells, i, cell)
	{
		if (!last || !same_table(last, cell))
			print_head(to, cell);
		print_row(to, cell);
		last = cell;
	}
	json_decref(cells);
	return true;
}
