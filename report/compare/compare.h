/* SPDX-License-Identifier: MIT */
/*
 * compare.h - compares two or more sides (before, after, ...): what each function, arc and group
 * took on each side.
 *
 *     view_open()  -- all files of all sides, in one tree, filtered as for any view
 *     sides        -- the sets that were loaded: processes[first, end) of each
 *     samples      -- the runs of a side (compare_samples.h). One sample is derived at a time; a side's
 *                     value is the mean of its samples (mean.h)
 *     rows         -- functions matched across sides (match.h), and the arcs between them; shown in
 *                     an order of their own (compare_order())
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report/compare/match.h"
#include "report/compare/mean.h"
#include "report/core/view/view.h"

#define COMPARE_SIDES 16

enum { COMPARE_CALLS, COMPARE_SELF, COMPARE_TOTAL, COMPARE_COUNTERS };
#define COMPARE_MEASURES (COMPARE_COUNTERS + COST_COUNTERS)

struct compare_side {
	const struct load_set *set;
	size_t samples;
	size_t runs;       /* >= samples: a merged profile is one sample, the mean of its runs */
	double elapsed_ns; /* mean over samples, from the first start to the last end */
	char *name;        /* its first path, or which frame it is */
	size_t counted[COST_COUNTERS]; /* how many of the samples have each counter */
};

/* A row of a table. For an arc, caller and callee are rows of the match; for a function, only
 * callee, and caller is MATCH_NONE. For a group, callee is a row of group_times. */
struct compare_row {
	uint32_t caller, callee;
	uint64_t sides;
};

struct compare_table {
	struct compare_row *rows;
	size_t count, room;
	struct mean_sum *sums; /* sides * measures of each row, while samples are added up */
	size_t sum_room;
	struct mean *values; /* the results, in the same order as sums */
	struct lookup by_row;
};

struct compare {
	struct view *v;
	struct compare_side sides[COMPARE_SIDES];
	size_t side_count;
	size_t measures; /* COMPARE_COUNTERS, and one more for each counter of interpreters */
	struct match match;
	struct compare_table functions, arcs, groups;
	struct compare_table whole; /* one row */
	struct derived all;         /* of all sides together */
	bool sum;                   /* each side is one sample: the sum of its files */
	double share;               /* of the sample being added: 1, or 1 / its runs */
	unsigned columns;           /* a bit for each counter that this sample has */
	bool *shown;                /* by row of the match: the filters select it */
};

/* What `zprof diff` alone is asked for. */
struct compare_options {
	bool sum, folded, markdown, junit, bencher, html;
	const char *measure, *by;
	const char **fails; /* conditions, in order; they point into argv */
	size_t fail_count, fail_room;
};

static inline const struct compare_options *compare_asked(const struct compare *c)
{
	return c->v->options->own;
}

/* Compares the sides of V, opened with a set for each. SUM: each side is one sample. */
void compare_make(struct compare *c, struct view *v, bool sum);
void compare_free(struct compare *c);

const struct mean *compare_at(const struct compare *c, const struct compare_table *t, size_t row,
			      size_t side, size_t measure);

/* Whether rows of the table have a measure: a group has no total. */
bool compare_has(const struct compare *c, const struct compare_table *t, size_t measure);

/* Whether a side was recorded without a counter. It has no value there, which is not zero. */
bool compare_lacks(const struct compare *c, size_t side, size_t measure);

/* Why functions do not have one. */
const char *compare_why_missing(const struct compare *c);

/* The change of a value from the first side to the last. None is known if one of them lacks it. */
struct compare_change {
	bool known;
	double before, after, change, bar;
	double ratio; /* 0 if there was nothing before */
};

struct compare_change compare_change(const struct compare *c, const struct compare_table *t,
				     size_t row, size_t measure);

/* Whether a change is larger than its error bar. */
bool compare_changed(const struct compare_change *d);

#define COMPARE_NONE SIZE_MAX

/* A measure's name (`calls`, `self`, `total`, or a counter's), and a name's measure or
 * COMPARE_NONE. */
const char *compare_measure_name(const struct compare *c, size_t measure);
size_t compare_measure_find(const struct compare *c, const char *name);

/* Adds the name of a row: `f`, `f (was g)`, `caller > callee`, or a group's name. */
void compare_row_name(const struct compare *c, const struct compare_table *t, size_t row,
		      struct str *name);

/* Adds a value of MEASURE in its unit, with a sign if SIGN is set. */
void compare_text(const struct compare *c, size_t measure, double value, bool sign,
		  struct str *text);

/*
 * Lists the rows of a table that the filters select. The order is by change, the largest first;
 * with more than two sides by the value on the last side; or as --sort says. The measure is the one
 * that --sort names, else --measure's, else self. ONLY leaves out rows without a change. free() the
 * list.
 */
size_t *compare_order(const struct compare *c, const struct compare_table *t, bool only,
		      size_t *count);

/* Adds when the first process of a side was recorded, and the build-id of its program, so that
 * readers of a verdict know what was compared: `recorded 2026-05-17 12:00:00, build-id 12ab...`. */
void compare_view_origin(const struct compare *c, size_t side, struct str *to);

/* Adds what texts call a side: `before`, `after`; of a series `side 2`. */
void compare_side_label(const struct compare *c, size_t side, struct str *to);

/* The lines above the tables: what each side is, filters, and notes. free() them. */
char *compare_view_head(const struct compare *c);

/* Two sides are shown with what changed, three or more with a column each. */
void compare_view_print(const struct compare *c);

/* The lines below the tables: what was lost on each side, with the side's name. */
void compare_losses_print(const struct compare *c);
char *compare_losses_text(const struct compare *c); /* free() it */
void compare_losses_sum(const struct compare *c, size_t side, uint64_t *losses);

/* Prints the JSON document up to its end. The caller may add members, and ends it. */
void compare_view_json(const struct compare *c);

#endif
