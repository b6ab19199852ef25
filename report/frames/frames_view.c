/* SPDX-License-Identifier: MIT */
/* frames_view.c - see frames_view.h. */
#include "report/frames/frames_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/base/wrap.h"
#include "report/cxx/short_name.h"

#define BAR_WIDTH     40
#define SPARK_WIDTH   16
#define SLOWEST_SHOWN 4
#define LABEL_WIDTH   13 /* of `  slowest:   ` */

const char *frames_view_time(const struct frames_view *w, char *text, double time, uint32_t flags)
{
	return units_time(text, w->fake ? time : time * frames_ns(w->p, flags), w->fake);
}

const char *frames_view_bounded(const struct frames_view *w, char *text, double time, double bar,
				double most, uint32_t flags)
{
	double ns = frames_ns(w->p, flags);
	return view_bounded_by(w->v, text, time * ns, bar * ns, most * ns);
}

const char *frames_view_recorded(const struct frames_view *w, char *text, double time, double most,
				 uint32_t flags)
{
	double bar = time > 0 ? 0 : frames_bar(w->p, flags, 0);
	return frames_view_bounded(w, text, time, bar, most, flags);
}

const char *frames_view_calls(char text[UNITS_TEXT], double calls)
{
	if (calls >= 999.5)
		return units_count(text, (uint64_t)llround(calls < 1e18 ? calls : 1e18));
	snprintf(text, UNITS_TEXT, "%.4g", calls);
	return text;
}

void frames_view_more(FILE *to, size_t count, size_t limit)
{
	char text[UNITS_TEXT];
	if (count > limit)
		fprintf(to, "... and %s more: --limit %zu\n", units_count(text, count - limit),
			count);
}

void frames_view_title(const struct frames_view *w, size_t kind, struct str *text)
{
	const struct profile_kind *k = &w->f->kinds[kind];
	visible_add(text, frames_kind_name(w->f, w->p, kind, w->zones));
	if (k->fixed.flags & ZPROF_FRAMES_FUNCTION)
		str_add(text, "()");
	for (size_t i = 0; i < w->p->thread_count; i++) {
		const struct zprof_thread *t = &w->p->threads[i];
		if (t->id != k->fixed.thread)
			continue;
		char name[sizeof t->name + 1] = "";
		memcpy(name, t->name, sizeof t->name);
		str_add(text, ", thread ");
		visible_add(text, name);
		str_add(text, " (%u)", t->tid);
		if (w->p->recording_count > 1)
			str_add(text, ", recording %u", t->recording);
	}
}

/* ---- wall times */

static void print_walls(const struct frames_view *w, const struct zprof_frames *k)
{
	FILE *to = w->v->terminal.out;
	static const struct {
		const char *name;
		double percent;
	} points[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99.9", 99.9}};
	char text[UNITS_TEXT];
	double mean = k->count ? (double)k->sum / (double)k->count : 0;
	fprintf(to, "  wall time: mean %s", frames_view_time(w, text, mean, k->flags));
	fprintf(to, ", min %s", frames_view_time(w, text, (double)k->least, k->flags));
	for (size_t i = 0; i < sizeof points / sizeof *points; i++)
		fprintf(to, ", %s %s", points[i].name,
			frames_view_time(w, text, frames_wall_percentile(k, points[i].percent),
					 k->flags));
	fprintf(to, ", max %s\n", frames_view_time(w, text, (double)k->most, k->flags));
	fprintf(to, "  lately:   ");
	for (int i = 0; i < ZPROF_AVERAGES; i++) {
		char time[UNITS_TEXT];
		fprintf(to, " %s (half-life %s)%s",
			frames_view_time(w, text, frames_wall_average(k, i), k->flags),
			frames_view_time(w, time, (double)k->average_time[i], k->flags),
			i + 1 < ZPROF_AVERAGES ? "," : "\n");
	}
}

/* One line for each octave of wall times, from the first to the last that has frames. */
static void print_histogram(const struct frames_view *w, const struct zprof_frames *k)
{
	FILE *to = w->v->terminal.out;
	uint64_t octaves[ZPROF_WALL_BUCKETS >> ZPROF_WALL_BITS] = {0}, most = 0;
	int count = ZPROF_WALL_BUCKETS >> ZPROF_WALL_BITS, first = count, last = -1;
	for (uint32_t i = 0; i < ZPROF_WALL_BUCKETS; i++)
		octaves[i >> ZPROF_WALL_BITS] += k->walls[i];
	for (int i = 0; i < count; i++) {
		if (!octaves[i])
			continue;
		first = i < first ? i : first;
		last = i;
		most = octaves[i] > most ? octaves[i] : most;
	}
	for (int i = first; i <= last; i++) {
		char text[UNITS_TEXT], from[UNITS_TEXT];
		double start =
		    (double)zprof_bucket_start((uint32_t)i << ZPROF_WALL_BITS, ZPROF_WALL_BITS);
		int bar = (int)((double)octaves[i] * BAR_WIDTH / (double)most + 0.5);
		fprintf(to, "  %8s %9s |%.*s\n", frames_view_time(w, from, start, k->flags),
			units_count(text, octaves[i]), octaves[i] && !bar ? 1 : bar,
			"****************************************");
	}
}

const char *frames_view_when(const struct frames_view *w, char *text, uint64_t clock,
			     uint32_t flags)
{
	const struct zprof_header *h = &w->p->header;
	uint64_t start = flags & ZPROF_FRAMES_NS ? h->start_ns : h->start_ticks;
	return frames_view_time(w, text, clock > start ? (double)(clock - start) : 0, flags);
}

static void print_slowest(const struct frames_view *w, size_t kind)
{
	FILE *to = w->v->terminal.out;
	const struct profile_frame **list = NULL;
	size_t count = 0, room = 0, kept = 0;
	uint32_t flags = w->f->kinds[kind].fixed.flags;
	uint64_t first = 0, last = 0;
	struct str slowest = {0};
	for (size_t i = 0; i < w->f->frame_count; i++) {
		const struct profile_frame *frame = &w->f->frames[i];
		if (frame->kind != kind)
			continue;
		first = first ? first : frame->fixed.number;
		last = frame->fixed.number;
		kept++;
		if (!(frame->fixed.flags & ZPROF_FRAME_NODES))
			continue;
		*memory_next(list, count, room) = frame;
	}
	memory_sort(list, count, frames_slowest_first);
	for (size_t i = 0; i < count && i < SLOWEST_SHOWN; i++) {
		char wall[UNITS_TEXT], at[UNITS_TEXT], number[UNITS_TEXT], others[UNITS_TEXT];
		str_add(&slowest, "%s%s %s (at %s",
			i ? ", " : "  slowest:   ", units_count(number, list[i]->fixed.number),
			frames_view_time(w, wall, (double)list[i]->fixed.wall, flags),
			frames_view_when(w, at, list[i]->fixed.begun, flags));
		if (list[i]->preempted_ns)
			str_add(&slowest, ", others %s",
				units_time(others, (double)list[i]->preempted_ns, w->fake));
		str_add(&slowest, ")%s", i + 1 < count && i + 1 < SLOWEST_SHOWN ? "" : "\n");
	}
	wrap_print_indented(&w->v->terminal, str_text(&slowest), LABEL_WIDTH);
	str_free(&slowest);
	if (w->f->kinds[kind].fixed.newest) {
		char text[UNITS_TEXT], a[UNITS_TEXT], b[UNITS_TEXT];
		fprintf(to, "  kept:      %s, from %s to %s\n", units_of(text, kept, "frame"),
			units_count(a, first), units_count(b, last));
	}
	free(list);
}

/* ---- zones */

enum { PERCENT, MEAN, P50, P99, P999, MOST, LATELY, TOTAL, TOTAL99, CALLS, SPARK, NAME, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [PERCENT] = {.head = "% self", .right = true, .least = 6},
    [MEAN] = {.head = "mean", .right = true, .gap = 2, .least = 8},
    [P50] = {.head = "p50", .right = true, .gap = 1, .least = 7, .drop = 2},
    [P99] = {.head = "p99", .right = true, .gap = 1, .least = 7},
    [P999] = {.head = "p99.9", .right = true, .gap = 1, .least = 7, .drop = 3},
    [MOST] = {.head = "max", .right = true, .gap = 1, .least = 7},
    [LATELY] = {.head = "lately", .right = true, .gap = 1, .least = 7, .drop = 5},
    [TOTAL] = {.head = "total", .right = true, .gap = 2, .least = 8, .drop = 1},
    [TOTAL99] = {.head = "p99", .right = true, .gap = 1, .least = 7, .drop = 4},
    [CALLS] = {.head = "calls", .right = true, .gap = 2, .least = 6},
    [SPARK] = {.head = "latest frames", .gap = 2, .optional = true, .drop = 6},
    [NAME] = {.head = "name", .gap = 2, .elastic = true, .shorten = short_name_fit},
};

static int by_sum(const void *left, const void *right)
{
	const struct profile_tally *const *a = left, *const *b = right;
	int64_t x = (*a)->fixed.self.sum, y = (*b)->fixed.self.sum;
	return memory_order(y, x) ?: memory_order((*b)->fixed.calls.sum, (*a)->fixed.calls.sum);
}

static double self_in(const struct frames_view *w, const struct profile_frame *frame,
		      const struct profile_tally *t)
{
	double sum = 0;
	if (!(frame->fixed.flags & ZPROF_FRAME_NODES)) {
		for (size_t i = 0; i < frame->count; i++)
			if (&w->f->tallies[w->f->zones[frame->first + i].tally] == t)
				return w->f->zones[frame->first + i].self;
		return 0;
	}
	for (size_t i = 0; i < frame->count; i++) {
		const struct profile_frame_node *n = &w->f->nodes[frame->first + i];
		if (w->p->nodes[n->node].zone == t->fixed.zone)
			sum += (double)n->time;
	}
	return sum;
}

/* Whether the environment says that the terminal shows UTF-8; zprof's own locale is C. */
static bool has_blocks(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);
		if (value && *value)
			return strstr(value, "UTF-8") || strstr(value, "utf8");
	}
	return false;
}

/* Adds a bar for each of the latest kept frames; the largest one has the highest bar. */
static void add_spark(const struct frames_view *w, size_t kind, const struct profile_tally *t,
		      struct str *text)
{
	static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const marks[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
	bool unicode = has_blocks();
	double values[SPARK_WIDTH], most = 0;
	size_t count = 0;
	if (!w->f->kinds[kind].fixed.newest)
		return;
	for (size_t i = w->f->frame_count; i-- > 0 && count < SPARK_WIDTH;)
		if (w->f->frames[i].kind == kind) {
			values[count] = self_in(w, &w->f->frames[i], t);
			most = values[count] > most ? values[count] : most;
			count++;
		}
	while (count-- > 0) {
		int level = most > 0 ? (int)(values[count] * 7 / most + 0.5) : 0;
		level = level < 0 ? 0 : level;
		str_add(text, "%s", unicode ? blocks[level] : marks[level]);
	}
}

/* The mean over all frames, which has as many samples as all frames together. */
static void put_mean(const struct frames_view *w, struct table *table, int column,
		     const struct profile_kind *k, const struct zprof_value *v)
{
	char text[UNITS_TEXT];
	double bar = frames_bar(w->p, k->fixed.flags, (double)v->sum) / (double)k->fixed.count;
	double mean = frames_mean(v, k), most = (double)k->fixed.sum / (double)k->fixed.count;
	table_cell(table, column, "%s",
		   frames_view_bounded(w, text, mean, bar, most, k->fixed.flags));
}

static void add_zone(const struct frames_view *w, struct table *table, size_t kind,
		     const struct profile_tally *t, double whole)
{
	const struct profile_kind *k = &w->f->kinds[kind];
	uint32_t flags = k->fixed.flags;
	static const struct {
		int column;
		double percent;
	} selves[] = {{P50, 50}, {P99, 99}, {P999, 99.9}};
	char text[UNITS_TEXT];
	struct str spark = {0};
	double calls = frames_mean(&t->fixed.calls, k), self = (double)t->fixed.self.sum;
	double bar = frames_bar(w->p, flags, self);
	table_row(table, TABLE_PLAIN);
	table_cell(table, PERCENT, "%s", view_percent(w->v, text, self, bar, whole));
	put_mean(w, table, MEAN, k, &t->fixed.self);
	for (size_t i = 0; i < sizeof selves / sizeof *selves; i++)
		table_cell(table, selves[i].column, "%s",
			   frames_view_recorded(
			       w, text, frames_self_percentile(t, k, selves[i].percent),
			       frames_wall_percentile(&k->fixed, selves[i].percent), flags));
	table_cell(table, MOST, "%s",
		   frames_view_recorded(w, text, (double)t->fixed.self.most, (double)k->fixed.most,
					flags));
	table_cell(table, LATELY, "%s",
		   frames_view_recorded(w, text, frames_average(&t->fixed.self, t, &k->fixed, 0),
					frames_wall_average(&k->fixed, 0), flags));
	put_mean(w, table, TOTAL, k, &t->fixed.total);
	table_cell(table, TOTAL99, "%s",
		   frames_view_recorded(w, text, frames_total_percentile(t, k, 99),
					frames_wall_percentile(&k->fixed, 99), flags));
	table_cell(table, CALLS, "%s", frames_view_calls(text, calls));
	add_spark(w, kind, t, &spark);
	table_cell(table, SPARK, "%s", str_text(&spark));
	table_cell(table, NAME, "%s",
		   view_zone_name(w->v, zones_number(w->zones, &w->p->nodes[t->node])));
	str_free(&spark);
}

/* Lists the tallies that are of whole zones, those with the longest self times first. */
static size_t zones_of_kind(const struct frames_view *w, size_t kind,
			    const struct profile_tally ***list)
{
	size_t count = 0, room = 0;
	*list = NULL;
	for (size_t i = 0; i < w->f->tally_count; i++) {
		const struct profile_tally *t = &w->f->tallies[i];
		if (t->kind != kind || !t->whole || !t->fixed.frames || !t->fixed.zone)
			continue;
		*memory_next(*list, count, room) = t;
	}
	memory_sort(*list, count, by_sum);
	return count;
}

static void print_zones(const struct frames_view *w, size_t kind)
{
	FILE *to = w->v->terminal.out;
	const struct profile_tally **list;
	size_t count = zones_of_kind(w, kind, &list);
	size_t limit = w->v->options->filters.limit ? w->v->options->filters.limit : 20;
	double whole = (double)w->f->kinds[kind].fixed.sum;
	struct table table;
	table_init(&table, columns, COLUMNS);
	for (size_t i = 0; list && i < count && i < limit; i++)
		add_zone(w, &table, kind, list[i], whole);
	if (count) {
		fputs("\nself time in a frame, and with what was called (total):\n", to);
		table_print(&table, &w->v->terminal);
	}
	frames_view_more(to, count, limit);
	table_free(&table);
	free(list);
}

void frames_view_kind(const struct frames_view *w, size_t kind)
{
	FILE *to = w->v->terminal.out;
	const struct zprof_frames *k = &w->f->kinds[kind].fixed;
	char text[UNITS_TEXT], own[UNITS_TEXT];
	struct str title = {0};
	frames_view_title(w, kind, &title);
	fprintf(to, "%s: %s", title.text, units_of(text, k->count, "frame"));
	if (k->discarded)
		fprintf(to, ", %s discarded", units_count(text, k->discarded));
	if (k->count && !w->fake)
		fprintf(to, "; ending one took %s",
			frames_view_time(w, own, (double)k->own / (double)k->count, k->flags));
	fputc('\n', to);
	str_free(&title);
	if (!k->count)
		return;
	print_walls(w, k);
	print_slowest(w, kind);
	print_histogram(w, k);
	print_zones(w, kind);
	if (k->flags & ZPROF_FRAMES_PART)
		fputs("Some contexts are missing in frames: the file had no room for them.\n", to);
	if (w->f->kinds[kind].unsteady)
		fputs("A frame was just ending: some numbers do not have it.\n", to);
}
