/* SPDX-License-Identifier: MIT */
/*
 * judge_plot.c - cells as a picture: a panel for each profiler, truth against shown, a point for
 * each function above 1 % of each program, on logarithmic scales. On the diagonal both are equal.
 *
 * Only what every profiler can show is drawn: functions after inlining, alone on the machine.
 */
#include "tests/bench/truth/judge_cells.h"

#include <math.h>
#include <string.h>

enum { PANELS_MAX = 8, WIDTH = 860, LEFT = 52, GAP = 14, TOP = 84, BOTTOM = 62 };

static const double least = 0.3, most = 100;

struct panel {
	const char *shower;
	double net;
	int programs;
};

static bool is_drawn(const json_t *cell)
{
	return json_object_get(cell, "distance") && !strcmp(cell_text(cell, "front"), "fentry") &&
	       !(cell_number(cell, "spinners") > 0);
}

/* From 0 to 1. */
static double along(double share)
{
	double at = share < least ? least : share > most ? most : share;

	return log(at / least) / log(most / least);
}

static size_t find_panels(const json_t *cells, struct panel *panels)
{
	size_t count = 0, i, p;
	json_t *cell;

	json_array_foreach(cells, i, cell)
	{
		if (!is_drawn(cell))
			continue;
		for (p = 0; p < count && strcmp(panels[p].shower, cell_text(cell, "shower")) != 0;
		     p++)
			;
		if (p == PANELS_MAX)
			continue;
		if (p == count)
			panels[count++] = (struct panel){.shower = cell_text(cell, "shower")};
		panels[p].net += cell_number(cell, "net");
		panels[p].programs++;
	}
	return count;
}

enum { NAME_MAX_DRAWN = 48 };

static void draw_name(FILE *to, const char *name)
{
	for (const char *end = name + NAME_MAX_DRAWN; *name && name < end; name++) {
		const char *entity = *name == '<'    ? "&lt;"
				     : *name == '>'  ? "&gt;"
				     : *name == '&'  ? "&amp;"
				     : *name == '\'' ? "&apos;"
						     : NULL;

		if (entity)
			fputs(entity, to);
		else
			fputc(*name, to);
	}
}

static void draw_points(FILE *to, const json_t *cell, double x, double side)
{
	json_t *function;
	size_t i;

	json_array_foreach(json_object_get(cell, "functions"), i, function)
	{
		double truth = cell_number(function, "truth"),
		       shown = cell_number(function, "shown");

		if (truth < JUDGE_LARGE && shown < JUDGE_LARGE)
			continue;
		fprintf(to, "<circle cx='%.1f' cy='%.1f' r='3'><title>", x + side * along(truth),
			TOP + side * (1 - along(shown)));
		draw_name(to, cell_text(function, "name"));
		fprintf(to, ", %s: %.1f %%, shown %.1f %%</title></circle>\n",
			cell_text(cell, "program"), truth, shown);
	}
}

static void draw_frame(FILE *to, const struct panel *panel, double x, double side,
		       const char *colour, bool first)
{
	static const double marks[] = {1, 10, 100};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		double at = side * along(marks[i]);

		fprintf(to,
			"<path d='M%.1f %d v%.1f M%.1f %.1f h%.1f' stroke='#dddddd' fill='none'/>\n"
			"<text x='%.1f' y='%.1f' text-anchor='middle' fill='#555555'>%g</text>\n",
			x + at, TOP, side, x, TOP + side - at, side, x + at, TOP + side + 16,
			marks[i]);
		if (first)
			fprintf(to,
				"<text x='%.1f' y='%.1f' text-anchor='end' "
				"fill='#555555'>%g</text>\n",
				x - 6, TOP + side - at + 4, marks[i]);
	}
	fprintf(to,
		"<rect x='%.1f' y='%d' width='%.1f' height='%.1f' fill='none' stroke='#999999'/>\n"
		"<path d='M%.1f %.1f l%.1f %.1f' stroke='#999999' stroke-dasharray='4 3'/>\n"
		"<text x='%.1f' y='%d' fill='%s' font-weight='bold'>%s</text>\n"
		"<text x='%.1f' y='%d' fill='%s'>%.0f points off</text>\n",
		x, TOP, side, side, x, TOP + side, side, -side, x, TOP - 22, colour, panel->shower,
		x, TOP - 7, colour, panel->net / panel->programs);
}

static void draw(FILE *to, const json_t *cells, const struct panel *panels, size_t count)
{
	double side = (WIDTH - LEFT - 16 - GAP * ((double)count - 1)) / (double)count;
	size_t i;
	json_t *cell;

	side = side > 240 ? 240 : side;
	fprintf(to,
		"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %.0f' width='%d' "
		"height='%.0f' font-family='sans-serif' font-size='12'>\n"
		"<rect width='100%%' height='100%%' fill='#ffffff'/>\n"
		"<text x='16' y='26' font-size='15' font-weight='bold'>Self times: the truth, and "
		"what profilers show</text>\n",
		WIDTH, TOP + side + BOTTOM, WIDTH, TOP + side + BOTTOM);
	for (size_t p = 0; p < count; p++) {
		double x = LEFT + (double)p * (side + GAP);
		const char *colour = strncmp(panels[p].shower, "zprof", 5) ? "#c2571a" : "#0b62a4";

		draw_frame(to, &panels[p], x, side, colour, !p);
		fprintf(to, "<g stroke='%s' fill='%s' fill-opacity='.25'>\n", colour, colour);
		json_array_foreach(cells, i, cell)
		{
			if (is_drawn(cell) && !strcmp(cell_text(cell, "shower"), panels[p].shower))
				draw_points(to, cell, x, side);
		}
		fputs("</g>\n", to);
	}
	fprintf(
	    to,
	    "<text x='%d' y='%.1f' fill='#555555'>Across: a function's share of the time "
	    "without hooks, in %%; up: the share shown. Each point is a function; log scales.</text>\n"
	    "<text x='14' y='%.1f' fill='#555555' transform='rotate(-90 14 %.1f)' "
	    "text-anchor='middle'>shown</text>\n</svg>\n",
	    LEFT, TOP + side + BOTTOM - 20, TOP + side / 2, TOP + side / 2);
}

bool judge_plot(const char *path, FILE *to)
{
	json_t *cells = judge_load(path);
	struct panel panels[PANELS_MAX];
	size_t count;

	if (!cells)
		return false;
	count = find_panels(cells, panels);
	if (count)
		draw(to, cells, panels, count);
	else
		fprintf(stderr, "judge: nothing in '%s' can be drawn\n", path);
	json_decref(cells);
	return count > 0;
}
