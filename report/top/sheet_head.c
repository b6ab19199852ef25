/* SPDX-License-Identifier: MIT */
/* sheet_head.c - see sheet_head.h. */
#include "report/top/sheet_head.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/core/base/text_width.h"
#include "report/core/base/visible.h"
#include "report/cxx/short_name.h"
#include "report/top/cells.h"
#include "report/top/sheet.h"

#define KEYS_MORE 120 /* screens at least this wide name more keys */

const char *const sheet_head_measures[MEASURES] = {
    [MEASURE_NOW] = "now", [MEASURE_SHORT] = "average of 2 s", [MEASURE_LONG] = "average of 15 s",
    [MEASURE_ALL] = "all", [MEASURE_FRAME] = "one frame",
};

static const char *const views[TOP_VIEWS] = {
    [TOP_SELF] = "functions by self time",
    [TOP_TOTAL] = "functions by total time",
    [TOP_GRAPH] = "call graph of",
    [TOP_TREE] = "contexts",
    [TOP_GROUPS] = "groups",
    [TOP_THREADS] = "threads",
    [TOP_FRAMES] = "frames that were kept",
    [TOP_CALLERS] = "callers of each function, and theirs",
    [TOP_SOURCE] = "source of",
};

/* Behind them: which time is shown. The first is not named where waits are unknown. */
static const char *const times[TIME_MEASURES] = {
    [TIME_OWN] = "; time on a processor and waited",
    [TIME_CPU] = "; time on a processor",
    [TIME_WAIT] = "; time waited",
    [TIME_WALL] = "; all time",
};

static uint64_t realtime_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double since_ns(uint64_t then)
{
	uint64_t now = realtime_ns();
	return now > then ? (double)(now - then) : 0;
}

/* Adds the state of the process, and since when it has been in that state. */
static void add_state(struct str *text, const struct top *t)
{
	char time[UNITS_TEXT];
	const struct follow *f = t->follow;
	const struct process *p = &f->view.load.processes[0];
	if (p->header.pid)
		str_add(text, "pid %u", p->header.pid);
	else
		str_add(text, "%s", units_of(time, load_processes(&f->view.load), "process"));
	if (f->state == FOLLOW_RUNS)
		str_add(text, ", runs %s%s",
			units_time(time, since_ns(p->header.start_realtime_ns), false),
			p->state == PROCESS_NOT_RECORDED ? ", not recorded" : "");
	else
		str_add(text, ", %s",
			f->last.header.flags & ZPROF_MERGED ? "merged"
			: f->state == FOLLOW_ENDED          ? "ended"
							    : "killed or exec'd");
	if (t->paused)
		str_add(text, "  PAUSED");
}

void sheet_head_title(struct str *text, const struct top *t, int width)
{
	struct str state = {0};
	const struct process *p = &t->follow->view.load.processes[0];
	visible_add(text, *p->command ? p->command : p->path);
	add_state(&state, t);
	int room = width - text_width(state.text) - 2, have = text_width(str_text(text));
	if (width && have > room) {
		while (text->used && (text_width(text->text) > room - 1))
			text->text[--text->used] = 0;
		str_add(text, "~");
		have = text_width(text->text);
	}
	str_add(text, "%*s%s", width && room > have ? room - have + 2 : 2, "", state.text);
	str_free(&state);
}

static size_t threads_of(const struct tree *t)
{
	size_t count = 0;
	for (size_t i = 0; i < t->thread_count; i++)
		count += t->threads[i].count;
	return count;
}

static void add_rates(struct str *text, const struct follow *f)
{
	char number[CELLS_ROOM];
	const struct follow_interval *i = &f->interval;
	double ns = i->seconds * 1e9;
	if (i->seconds <= 0)
		return;
	str_add(text, "%s calls/s", cells_count(number, (double)i->calls / i->seconds, true));
	if (f->view.counts_only)
		return;
	str_add(text, ", on CPU %.0f %%, hooks %.0f %%", 100 * i->cpu_ns / ns,
		100 * i->hook_ns / ns);
	if (f->view.knows_waits)
		str_add(text, ", waits %.0f %%, preempted %.0f %%", 100 * i->wait_ns / ns,
			100 * i->preempted_ns / ns);
}

static void add_sums(struct str *text, const struct top *t)
{
	char number[UNITS_TEXT], time[UNITS_TEXT];
	const struct view *v = &t->follow->view;
	if (v->all_sampled)
		str_add(text, "sampled: calls were not counted");
	else
		str_add(text, "%s", units_of(number, load_calls(&v->load), "call"));
	if (v->counts_only)
		return;
	str_add(text, ", %s in functions", view_time(v, time, t->whole.ns));
	if (v->knows_waits)
		str_add(text, ", waited %s", view_time(v, number, t->whole.wait_ns));
	if (!v->all_sampled)
		str_add(text, ", hooks %s", view_time(v, time, load_hook_ns(&v->load)));
}

static void add_frame(struct str *text, const struct top *t)
{
	char number[CELLS_ROOM], time[UNITS_TEXT];
	const struct view *v = &t->follow->view;
	str_add(text, "the frame: %s calls", cells_count(number, t->whole_calls, false));
	if (!v->counts_only && t->view != TOP_FRAMES)
		str_add(text, ", %s in functions", view_time(v, time, t->whole.ns));
}

void sheet_head_sums(struct str *text, const struct top *t)
{
	char number[UNITS_TEXT];
	size_t threads = threads_of(&t->follow->view.load.tree);
	str_add(text, "%s, ", units_of(number, threads, "thread"));
	if (t->measure == MEASURE_FRAME)
		add_frame(text, t);
	else if (top_is_rate(t))
		add_rates(text, t->follow);
	else
		add_sums(text, t);
}

static void add_patterns(struct str *text, const char *what, const struct patterns *p)
{
	for (size_t i = 0; i < p->count; i++) {
		str_add(text, "; %s ", what);
		visible_add(text, p->list[i].text);
	}
}

void sheet_head_shown(struct str *text, const struct top *t)
{
	char time[UNITS_TEXT];
	const struct follow *f = t->follow;
	str_add(text, "%s", views[t->view]);
	if (t->view == TOP_GRAPH || t->view == TOP_SOURCE) {
		str_add(text, " ");
		visible_add(text, view_zone_name(&t->follow->view, t->zone));
	}
	if (t->measure == MEASURE_FRAME && t->view != TOP_FRAMES) {
		str_add(text, "; frame %llu of ", (unsigned long long)f->shown.number);
		visible_add(text, f->shown.kind);
		str_add(text, ", %s", view_time(&f->view, time, f->shown.wall_ns));
	} else if (!f->finished) {
		str_add(text, "; %s", sheet_head_measures[t->measure]);
	}
	if (t->measure == MEASURE_ALL && f->base_realtime_ns)
		str_add(text, " since %s ago",
			units_time(time, since_ns(f->base_realtime_ns), false));
	if (!f->view.counts_only && t->view != TOP_FRAMES && t->measure != MEASURE_FRAME &&
	    (f->view.measure != TIME_OWN || f->view.knows_waits))
		str_add(text, "%s", times[f->view.measure]);
	add_patterns(text, "thread", &t->threads);
	add_patterns(text, "group", &t->groups);
	add_patterns(text, "only", &t->functions);
	filters_describe(&f->view.options->filters, text);
	if (t->spread)
		str_add(text, "; recursion spread");
	if (t->more)
		str_add(text, "; %s more", units_count((char[UNITS_TEXT]){0}, t->more));
}

void sheet_head_history(struct str *text, const struct top *t, int width, bool unicode)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const plain[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
	const char *const *bars = unicode ? blocks : plain;
	char time[UNITS_TEXT];
	uint32_t zone = top_row_zone(t);
	if (!zone || zone >= t->history_zones)
		return;
	const float *ring = t->history + (size_t)zone * TOP_HISTORY;
	float most = 0;
	int count = width && width < TOP_HISTORY + 36 ? width - 36 : TOP_HISTORY;
	for (int i = 0; i < TOP_HISTORY; i++)
		most = ring[i] > most ? ring[i] : most;
	for (int i = TOP_HISTORY - count; i < TOP_HISTORY; i++) {
		float ns = ring[(t->history_at + 1 + (size_t)i) % TOP_HISTORY];
		int height = most > 0 && ns > 0 ? (int)(ns / most * 8 + 0.5f) : 0;
		str_add(text, "%s", bars[ns > 0 && !height ? 1 : height]);
	}
	str_add(text, "| up to %s/s, self, ", view_time(&t->follow->view, time, most));
	visible_add(text, t->follow->view.load.zones.list[zone].name);
}

void sheet_head_report(struct str *text, struct top *t, size_t line)
{
	char *words = kept_head_line(&t->kept, line);
	str_add(text, "%s", words ? words : "");
	free(words);
}

/* Adds the columns of WORDS from FROM on, up to WIDTH of them. */
static void add_part(struct str *text, const char *words, int from, int width)
{
	int columns, sum = 0;
	for (const char *at = words; *at;) {
		size_t n = text_width_next(at, &columns);
		if (sum >= from && sum < from + width)
			str_add_bytes(text, at, n);
		sum += columns;
		at += n;
	}
}

void sheet_head_name(struct str *text, const struct top *t, int width, bool rest)
{
	const struct top_row *r = top_row(t);
	uint32_t zone = top_row_zone(t);
	struct str words = {0}, place = {0};
	if (zone) {
		const struct zone *z = &t->follow->view.load.zones.list[zone];
		view_place(z, &place);
		visible_add(&words, z->name);
		int room = 2 * width - text_width(str_text(&place)) - 2;
		if (text_width(str_text(&words)) > room && room > 0) {
			struct str whole = words;
			words = (struct str){0};
			short_name_fit(&words, whole.text, NULL, room);
			str_free(&whole);
		}
		if (place.used)
			str_add(&words, "  %s", place.text);
	} else if (r && r->kind != TOP_LINE) {
		visible_add(&words, r->name);
	}
	add_part(text, str_text(&words), rest ? width : 0, rest ? 2 * width : width);
	str_free(&words);
	str_free(&place);
}

static const char *const losses[] = {
#define X(name, what) what,
    ZPROF_COUNTERS(X)
#undef X
};

static bool is_loss(int kind)
{
	return kind != ZPROF_CHECKED && kind != ZPROF_REPAIR_SWITCH && kind != ZPROF_REPAIR_JUMP &&
	       kind != ZPROF_REPAIR_HOOK && kind != ZPROF_REPAIR_FRAME &&
	       kind != ZPROF_SWITCHED_OPEN && kind != ZPROF_SWITCHED_EXIT;
}

static void add_losses(struct str *text, const struct top *t)
{
	char number[UNITS_TEXT];
	const uint64_t *counters = t->follow->view.load.counters;
	for (int i = 0; i < ZPROF_COUNTERS_USED; i++)
		if (counters[i] && is_loss(i))
			str_add(text, "%s%s %s",
				text->used ? "; " : "lost: ", units_count(number, counters[i]),
				losses[i]);
}

static void add_apart(struct str *text, const struct collect *c)
{
	char restless[UNITS_TEXT], threads[UNITS_TEXT], number[UNITS_TEXT];
	if (c->restless)
		str_add(text, "%snumbers of %s of %s are up to %s apart", text->used ? "; " : "",
			units_count(restless, c->restless), units_of(threads, c->threads, "thread"),
			units_of(number, c->moved, "call"));
}

void sheet_head_foot(struct str *text, const struct top *t, int width, bool named)
{
	static const char *const prompts[] = {
	    [TOP_SEARCH] = "search: ",
	    [TOP_FILTER] = "only functions like: ",
	    [TOP_SNAPSHOT] = "save a snapshot as: ",
	};
	if (t->prompt) {
		str_add(text, "%s", prompts[t->prompt]);
		visible_add(text, str_text(&t->typed));
		str_add(text, "_");
		return;
	}
	if (t->message.used) {
		visible_add(text, t->message.text);
		return;
	}
	if (named)
		sheet_head_name(text, t, width, true);
	if (!text->used)
		add_losses(text, t);
	if (t->follow->state == FOLLOW_RUNS)
		add_apart(text, &t->follow->collect);
}

void sheet_head_keys(struct str *text, const struct top *t, int width)
{
	if (!top_is_finished(t)) {
		str_add(text,
			"? keys  q quit  enter graph  s self  t total  x contexts  a average  p "
			"pause");
		return;
	}
	str_add(text, "? keys  / search  %s  enter graph  s self  t total  C callers  x contexts",
		t->trail.count ? "esc back" : "q quit");
	if (width >= KEYS_MORE)
		str_add(text, "  a source  m groups  T threads  i about");
}

const char *sheet_head_nothing(const struct top *t)
{
	if (t->view == TOP_FRAMES)
		return "no frames are kept: record with --frame=FUNCTION, or call zprof_frame()";
	if (t->threads.count || t->functions.count || t->groups.count)
		return "nothing passes the filters; u clears them";
	if (t->view == TOP_SOURCE)
		return "no line is known";
	if (top_is_rate(t))
		return "nothing was called; a shows other averages";
	return top_is_finished(t) ? "nothing was counted" : "nothing was counted yet";
}
