/* SPDX-License-Identifier: MIT */
/* frame_view.c - one frame beside the usual values of its kind, and single calls
 * (frames_view.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/wrap.h"
#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/cxx/short_name.h"
#include "report/frames/frames_view.h"

/* ---- one frame */

enum { SELF, USUAL, USUAL99, MORE, TOTAL, WAITED, PREEMPTED, CALLS, USUAL_CALLS, NAME, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [SELF] = {.head = "self", .right = true, .least = 8},
    [USUAL] = {.head = "usual", .right = true, .gap = 2, .least = 8},
    [USUAL99] = {.head = "p99", .right = true, .gap = 1, .least = 7, .drop = 2},
    [MORE] = {.head = "more", .right = true, .gap = 2, .least = 8},
    [TOTAL] = {.head = "total", .right = true, .gap = 2, .least = 8},
    [WAITED] = {.head = "waited", .right = true, .gap = 2, .optional = true},
    [PREEMPTED] = {.head = "others", .right = true, .gap = 2, .optional = true},
    [CALLS] = {.head = "calls", .right = true, .gap = 2, .least = 6},
    [USUAL_CALLS] = {.head = "usual", .right = true, .gap = 1, .least = 6, .drop = 1},
    [NAME] = {.head = "name", .gap = 2, .elastic = true, .shorten = short_name_fit},
};

/* How much more or less a zone took than in the median frame. */
struct difference {
	const struct frame_zone *zone; /* NULL: the zone did not run in this frame */
	const struct profile_tally *usual;
	double self, median;
	double bar;  /* of self */
	double more; /* by what is shown of self, which may be a bound */
};

static const struct profile_tally *tally_of_zone(const struct frames_view *w, size_t kind,
						 uint32_t zone)
{
	for (size_t i = 0; i < w->f->tally_count; i++) {
		const struct profile_tally *t = &w->f->tallies[i];
		if (t->kind == kind && t->whole &&
		    zones_number(w->zones, &w->p->nodes[t->node]) == zone)
			return t;
	}
	return NULL;
}

static int by_difference(const void *left, const void *right)
{
	const struct difference *a = left, *b = right;
	return memory_order(b->more, a->more)
		   ?: memory_order(b->self, a->self)
		   ?: memory_order(b->zone->calls, a->zone->calls);
}

/*
 * The longest that a function can have run in a frame: the frame's wall time. Under clock=count,
 * times are without what others had of the processor.
 */
static double most_in(const struct profile_kind *k, const struct profile_frame *frame)
{
	return k->fixed.flags & ZPROF_FRAMES_NS ? frame->slowness : (double)frame->fixed.wall;
}

static size_t differences(const struct frames_view *w, const struct profile_frame *frame,
			  const struct frame_zones *zones, struct difference **list)
{
	const struct profile_kind *k = &w->f->kinds[frame->kind];
	size_t count = 0;
	*list = memory_resize(NULL, zones->count + 1, sizeof **list);
	for (size_t i = 0; i < zones->count; i++) {
		const struct frame_zone *z = &zones->list[i];
		const struct profile_tally *t = tally_of_zone(w, frame->kind, z->zone);
		if (!z->self && !z->calls && !z->waited_ns && !z->preempted_ns)
			continue;
		struct difference d = {.zone = z, .usual = t, .self = z->self};
		d.median = t ? frames_self_percentile(t, k, 50) : 0;
		d.bar = frames_bar(w->p, k->fixed.flags, z->self - z->waited_ns);
		d.more = fmin(cost_weight(d.self, d.bar), most_in(k, frame)) - d.median;
		(*list)[count++] = d;
	}
	memory_sort(*list, count, by_difference);
	return count;
}

static void add_difference(const struct frames_view *w, struct table *table,
			   const struct difference *d, const struct frames_usual *usual,
			   const struct profile_frame *frame)
{
	const struct profile_kind *k = &w->f->kinds[usual->kind];
	char text[UNITS_TEXT];
	uint32_t flags = k->fixed.flags;
	double bar = frames_bar(w->p, flags, d->zone->total - d->zone->total_waited_ns);
	double most = most_in(k, frame);
	table_row(table, TABLE_PLAIN);
	table_cell(table, SELF, "%s", frames_view_bounded(w, text, d->self, d->bar, most, flags));
	table_cell(
	    table, USUAL, "%s",
	    frames_view_recorded(w, text, d->median, frames_wall_percentile(&k->fixed, 50), flags));
	if (d->usual)
		table_cell(table, USUAL99, "%s",
			   frames_view_recorded(w, text, frames_self_percentile(d->usual, k, 99),
						frames_wall_percentile(&k->fixed, 99), flags));
	if (!cost_is_bound(d->self, d->bar))
		table_cell(table, MORE, "%s%s", d->more < 0 ? "-" : "+",
			   frames_view_time(w, text, fabs(d->more), flags));
	table_cell(table, TOTAL, "%s",
		   frames_view_bounded(w, text, d->zone->total, bar, most, flags));
	if (d->zone->waited_ns > 0)
		table_cell(table, WAITED, "%s", units_time(text, d->zone->waited_ns, w->fake));
	if (d->zone->preempted_ns > 0)
		table_cell(table, PREEMPTED, "%s",
			   units_time(text, d->zone->preempted_ns, w->fake));
	table_cell(table, CALLS, "%s", units_count(text, d->zone->calls));
	if (d->usual)
		table_cell(table, USUAL_CALLS, "%s",
			   frames_view_calls(text, frames_usual_calls(usual, d->usual)));
	table_cell(table, NAME, "%s", view_zone_name(w->v, d->zone->zone));
}

/* Adds how long the frame waited, and how long other threads had its processor. */
static void add_away(struct str *to, const struct frames_view *w, const struct profile_frame *frame)
{
	char text[UNITS_TEXT];
	double waited = 0, others = (double)frame->preempted_ns;
	for (size_t i = 0; i < frame->count; i++)
		waited += (double)w->f->nodes[frame->first + i].waited_ns;
	if (waited > 0)
		str_add(to, "  It waited for %s.\n", units_time(text, waited, w->fake));
	if (others > 0)
		str_add(to, "  Others had its processor for %s.\n",
			units_time(text, others, w->fake));
}

static void add_head(struct str *to, const struct frames_view *w, const struct profile_frame *frame)
{
	const struct profile_kind *k = &w->f->kinds[frame->kind];
	char text[UNITS_TEXT];
	struct str title = {0};
	double median = frames_wall_percentile(&k->fixed, 50);
	frames_view_title(w, frame->kind, &title);
	str_add(to, "frame %s of %s\n", units_count(text, frame->fixed.number), title.text);
	str_free(&title);
	str_add(to, "  %s, from %s on; ",
		frames_view_time(w, text, (double)frame->fixed.wall, k->fixed.flags),
		frames_view_when(w, (char[UNITS_TEXT]){0}, frame->fixed.begun, k->fixed.flags));
	str_add(to, "the median frame takes %s", frames_view_time(w, text, median, k->fixed.flags));
	if (median > 0)
		str_add(to, ", this one %s times as long",
			units_digits(text, (double)frame->fixed.wall / median));
	str_add(to, "\n");
	if (k->fixed.flags & ZPROF_FRAMES_NS)
		str_add(
		    to,
		    "  Times of functions are from samples and waits (clock=count), %s in all.\n",
		    frames_view_time(w, text, (double)frame->fixed.ran, k->fixed.flags));
	add_away(to, w, frame);
	if (frame->fixed.flags & ZPROF_FRAME_CUT)
		str_add(to, "  Not all contexts found room.\n");
}

static void print_head(const struct frames_view *w, const struct profile_frame *frame)
{
	struct str text = {0};
	add_head(&text, w, frame);
	wrap_print(&w->v->terminal, text.text);
	str_free(&text);
}

/* Prints a command about the frame, which picks it as the user did: a number may be several threads'. */
static void print_next(const struct frames_view *w, const struct profile_frame *frame,
		       const char *command)
{
	FILE *to = w->v->terminal.out;
	const struct frame_pick *pick = &w->asked->pick;
	if (pick->slowest)
		fprintf(to, "%s --slowest %llu", command, (unsigned long long)pick->slowest);
	else
		fprintf(to, "%s --frame %llu", command, (unsigned long long)frame->fixed.number);
	if (pick->kind)
		fprintf(to, " --kind '%s'", pick->kind);
	fprintf(to, " %s\n", w->p->path);
}

void frame_view_print(const struct frames_view *w, const struct profile_frame *frame)
{
	FILE *to = w->v->terminal.out;
	struct frame_zones zones;
	struct difference *list;
	struct table table;
	struct frames_usual usual;
	size_t limit = w->v->options->filters.limit ? w->v->options->filters.limit : 20;
	print_head(w, frame);
	frames_zones_make(&zones, w->f, w->p, frame, w->zones);
	size_t count = differences(w, frame, &zones, &list);
	frames_usual_make(&usual, w->f, w->p, frame->kind);
	table_init(&table, columns, COLUMNS);
	for (size_t i = 0; i < count && i < limit; i++)
		add_difference(w, &table, &list[i], &usual, frame);
	frames_usual_free(&usual);
	fputc('\n', to);
	table_print(&table, &w->v->terminal);
	table_free(&table);
	frames_view_more(to, count, limit);
	print_next(w, frame, "\nIts call graph: zprof graph");
	print_next(w, frame, "Beside the median frame: zprof diff");
	free(list);
	frames_zones_free(&zones);
}

/* ---- single calls */

enum { T_CALLS, T_LEAST, T_MEAN, T_P50, T_P90, T_P99, T_P999, T_MOST, T_NAME, T_COLUMNS };

static const struct table_column tail_columns[T_COLUMNS] = {
    [T_CALLS] = {.head = "calls", .right = true, .least = 8},
    [T_LEAST] = {.head = "min", .right = true, .gap = 2, .least = 7, .drop = 2},
    [T_MEAN] = {.head = "mean", .right = true, .gap = 1, .least = 7},
    [T_P50] = {.head = "p50", .right = true, .gap = 1, .least = 7},
    [T_P90] = {.head = "p90", .right = true, .gap = 1, .least = 7, .drop = 3},
    [T_P99] = {.head = "p99", .right = true, .gap = 1, .least = 7},
    [T_P999] = {.head = "p99.9", .right = true, .gap = 1, .least = 7, .drop = 1},
    [T_MOST] = {.head = "max", .right = true, .gap = 1, .least = 7},
    [T_NAME] = {.head = "name", .gap = 2, .elastic = true},
};

/* Adds the path to a node, `handle < serve < main`: the callee first, since the line may be cut. */
static void path_of(const struct frames_view *w, uint32_t node, struct str *text)
{
	for (; w->p->nodes[node].parent != PROFILE_NO_NODE; node = w->p->nodes[node].parent)
		str_add(text, "%s%s", text->used ? " < " : "",
			view_zone_name(w->v, zones_number(w->zones, &w->p->nodes[node])));
}

static void add_longest(const struct frames_view *w, struct table *table,
			const struct profile_tail *t)
{
	struct str text = {0};
	char took[UNITS_TEXT], at[UNITS_TEXT], number[UNITS_TEXT];
	str_add(&text, "         longest: %s at %s, thread %u",
		frames_view_time(w, took, (double)t->fixed.most, t->fixed.flags),
		frames_view_when(w, at, t->fixed.begun, t->fixed.flags), t->fixed.tid);
	if (t->kind != SIZE_MAX) {
		str_add(&text, ", frame %s of ", units_count(number, t->fixed.frame));
		visible_add(&text, frames_kind_name(w->f, w->p, t->kind, w->zones));
	}
	table_row(table, TABLE_FAINT);
	table_tail(table, T_CALLS, text.text);
	str_free(&text);
}

static double tail_percentile(const struct zprof_tail *t, double percent)
{
	return frames_percentile(t->buckets, ZPROF_TALLY_BUCKETS, ZPROF_TALLY_BITS, t->calls,
				 (double)t->least, (double)t->most, percent);
}

static void add_tail(const struct frames_view *w, struct table *table, const struct profile_tail *t)
{
	static const struct {
		int column;
		double percent;
	} points[] = {{T_P50, 50}, {T_P90, 90}, {T_P99, 99}, {T_P999, 99.9}};
	const struct zprof_tail *x = &t->fixed;
	char text[UNITS_TEXT];
	struct str path = {0};
	table_row(table, TABLE_PLAIN);
	table_cell(table, T_CALLS, "%s", units_count(text, x->calls));
	table_cell(table, T_LEAST, "%s", frames_view_time(w, text, (double)x->least, x->flags));
	table_cell(table, T_MEAN, "%s",
		   frames_view_time(w, text, (double)x->sum / (double)x->calls, x->flags));
	for (size_t i = 0; i < sizeof points / sizeof *points; i++)
		table_cell(
		    table, points[i].column, "%s",
		    frames_view_time(w, text, tail_percentile(x, points[i].percent), x->flags));
	table_cell(table, T_MOST, "%s", frames_view_time(w, text, (double)x->most, x->flags));
	path_of(w, t->node, &path);
	table_cell(table, T_NAME, "%s", str_text(&path));
	str_free(&path);
	add_longest(w, table, t);
}

static int by_longest(const void *left, const void *right)
{
	const struct profile_tail *const *a = left, *const *b = right;
	uint64_t x = (*a)->fixed.most, y = (*b)->fixed.most;
	return memory_order(y, x);
}

void frame_view_tails(const struct frames_view *w)
{
	FILE *to = w->v->terminal.out;
	const struct profile_tail **list = memory_resize(NULL, w->f->tail_count, sizeof *list);
	size_t limit = w->v->options->filters.limit ? w->v->options->filters.limit : 20;
	struct table table;
	for (size_t i = 0; i < w->f->tail_count; i++)
		list[i] = &w->f->tails[i];
	memory_sort(list, w->f->tail_count, by_longest);
	table_init(&table, tail_columns, T_COLUMNS);
	for (size_t i = 0; i < w->f->tail_count && i < limit; i++)
		add_tail(w, &table, list[i]);
	fputs("single calls, with what they called, by the clock:\n", to);
	table_print(&table, &w->v->terminal);
	table_free(&table);
	frames_view_more(to, w->f->tail_count, limit);
	free(list);
}
