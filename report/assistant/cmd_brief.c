/* SPDX-License-Identifier: MIT */
/* cmd_brief.c - `zprof brief`: a profile's most important facts, in a number of tokens. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/command/command.h"
#include "report/core/view/listing.h"

#define TOKEN_BYTES    4 /* on average, in English and code */
#define TOKENS_DEFAULT 1000
#define TOKENS_LEAST   100 /* enough for a function whose name and place are cut */
#define FUNCTIONS_MOST 10
#define CALLERS_MOST   3

/* Whether a character of UTF-8 goes on with this byte. */
static bool is_inside(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

struct brief {
	struct view *v;
	const struct derived *d;
	const struct listing *l;
	struct str text, end;
	size_t room; /* bytes; text and end together take no more */
};

/* Adds a name or a place. One that takes more than an eighth of the room loses its middle. */
static void add_cut(const struct brief *b, struct str *to, const char *text)
{
	static const char gap[] = "...";
	struct str whole = {0};
	size_t most = b->room / 8, half = (most - strlen(gap)) / 2;
	visible_add(&whole, text);
	if (whole.used <= most) {
		str_add(to, "%s", str_text(&whole));
	} else {
		size_t front = half, back = whole.used - half;
		while (front && is_inside(whole.text[front]))
			front--;
		while (is_inside(whole.text[back]))
			back++;
		str_add(to, "%.*s%s%s", (int)front, whole.text, gap, whole.text + back);
	}
	str_free(&whole);
}

static void add_name(const struct brief *b, struct str *to, uint32_t zone)
{
	add_cut(b, to, zone ? view_zone_name(b->v, zone) : "(outside of all zones)");
}

static void add_measures(const struct brief *b, struct str *to, double ns, double bar_ns, bool low)
{
	char text[UNITS_TEXT];
	str_add(to, "%s", view_known_total(b->v, text, ns, bar_ns, low));
	if (*view_bar(b->v, text, ns, bar_ns))
		str_add(to, " %s", view_bar(b->v, text, ns, bar_ns));
}

static void add_function(const struct brief *b, struct str *to, const struct function *f)
{
	char text[UNITS_TEXT];
	struct str place = {0};
	add_name(b, to, f->zone);
	view_place(&b->v->load.zones.list[f->zone], &place);
	if (place.used) {
		str_add(to, " (");
		add_cut(b, to, place.text);
		str_add(to, ")");
	}
	str_add(to, ": ");
	if (!b->v->counts_only) {
		struct cost self = view_shown(b->v, &f->self), total = view_shown(b->v, &f->total);
		struct cost whole = view_shown(b->v, &b->d->whole);
		str_add(to, "self ");
		add_measures(b, to, self.ns, cost_self_bar(&self), false);
		str_add(to, " (%s%%), total ",
			view_percent(b->v, text, self.ns, cost_self_bar(&self), whole.ns));
		add_measures(b, to, total.ns, cost_total_bar(&total), f->low);
		str_add(to, ", ");
	}
	if (b->v->sampled && !f->calls)
		str_add(to, "sampled\n");
	else
		str_add(to, "%s\n", units_of(text, f->calls, "call"));
	str_free(&place);
}

static int by_weight(const void *left, const void *right, void *view)
{
	const struct arc *a = *(const struct arc *const *)left,
			 *b = *(const struct arc *const *)right;
	struct cost p = view_shown(view, &a->parent_total), q = view_shown(view, &b->parent_total);
	double x = cost_total_weight(&p), y = cost_total_weight(&q);
	int order = (x < y) - (x > y);
	return order ? order : (a->calls < b->calls) - (a->calls > b->calls);
}

/* Adds the callers on whose behalf the function spends most of its time. */
static void add_callers(const struct brief *b, struct str *to, uint32_t zone)
{
	char text[UNITS_TEXT];
	const struct arc **arcs = memory_resize(NULL, b->d->arc_count, sizeof *arcs);
	size_t count = 0;
	for (size_t i = 0; i < b->d->arc_count; i++)
		if (b->d->arcs[i].callee == zone && b->d->arcs[i].caller != zone)
			arcs[count++] = &b->d->arcs[i];
	qsort_r(arcs, count, sizeof *arcs, by_weight, b->v);
	for (size_t i = 0; i < count && i < CALLERS_MOST; i++) {
		str_add(to, "    for ");
		add_name(b, to, arcs[i]->caller);
		str_add(to, ": ");
		if (!b->v->counts_only) {
			struct cost total = view_shown(b->v, &arcs[i]->parent_total);
			add_measures(b, to, total.ns, cost_total_bar(&total), false);
			str_add(to, ", ");
		}
		if (b->v->sampled && !arcs[i]->calls)
			str_add(to, "sampled\n");
		else
			str_add(to, "%s\n", units_of(text, arcs[i]->calls, "call"));
	}
	if (count > CALLERS_MOST)
		str_add(to, "    and %s other caller%s\n", units_count(text, count - CALLERS_MOST),
			count == CALLERS_MOST + 1 ? "" : "s");
	free(arcs);
}

/* Lists the rows whose times are uncertain. */
static void add_uncertain(struct brief *b, size_t rows)
{
	size_t count = 0;
	for (size_t i = 0; i < rows; i++) {
		const struct function *f = &b->d->functions[b->l->shown[i]];
		struct cost self = view_shown(b->v, &f->self);
		if (b->v->counts_only || cost_self_bar(&self) * 2 <= self.ns)
			continue;
		str_add(&b->end, count++ ? ", " : "\nUncertain by more than half (self): ");
		add_name(b, &b->end, f->zone);
	}
	if (count)
		str_add(&b->end, "\n");
	char *losses = view_losses_text(b->v);
	str_add(&b->end, "%s", losses);
	free(losses);
}

/* How much of the first MOST bytes of TEXT can stand alone: whole lines; of a longer first line,
 * whole clauses or names, or else words. A number is never cut. */
static size_t whole_part(const char *text, size_t most)
{
	size_t lines = 0, clauses = 0, words = 0;
	for (size_t i = 1; i <= most; i++) {
		char end = text[i - 1];
		if (end == '\n' && i > 1)
			lines = i;
		if (end != ' ')
			continue;
		words = i;
		if (i > 1 && strchr(",;:", text[i - 2]))
			clauses = i;
	}
	return lines ? lines : clauses ? clauses : words;
}

/* Cuts TEXT to MOST bytes, of which the last four say so. */
static void cut(struct str *text, size_t most)
{
	static const char ending[] = "...\n";
	if (text->used <= most)
		return;
	if (most < strlen(ending)) {
		str_clear(text);
		return;
	}
	text->used = whole_part(text->text, most - strlen(ending));
	text->text[text->used] = 0;
	str_add(text, "%s", ending);
}

/* Adds the line that says how many functions are not shown; nothing if all are. */
static void add_more(struct str *to, size_t count)
{
	char text[UNITS_TEXT];
	if (count)
		str_add(to, "(%s more function%s: zprof report)\n", units_count(text, count),
			count == 1 ? "" : "s");
}

/* Adds ROW to the text, unless that would leave no room for the end, and for the line that MORE
 * functions are not shown. False: there is no room. */
static bool fits(struct brief *b, const struct str *row, size_t more)
{
	struct str line = {0};
	add_more(&line, more);
	bool yes = b->text.used + row->used + line.used + b->end.used <= b->room;
	if (yes)
		str_add(&b->text, "%s", str_text(row));
	str_free(&line);
	return yes;
}

/* Adds the head, and leaves room for the function FIRST and half of the rest for the end, if that
 * needs so much. */
static void add_head(struct brief *b, const struct str *first)
{
	struct str head = {0}, more = {0};
	char *text = view_head_text(b->v, b->d);
	str_add(&head, "%s", text);
	free(text);
	add_more(&more, b->l->shown_count);
	size_t rest = b->room - first->used - more.used;
	cut(&b->end, head.used < rest / 2 ? rest - head.used : rest / 2);
	cut(&head, rest - b->end.used);
	str_add(&b->text, "%s", str_text(&head));
	str_free(&head);
	str_free(&more);
}

static void make(struct brief *b)
{
	size_t all = b->l->shown_count, rows = all < FUNCTIONS_MOST ? all : FUNCTIONS_MOST,
	       done = 0;
	struct str row = {0};
	bool room = rows > 0;
	add_uncertain(b, rows);
	if (room)
		add_function(b, &row, &b->d->functions[b->l->shown[0]]);
	add_head(b, &row);
	while (room && fits(b, &row, all - done - 1)) {
		str_clear(&row);
		add_callers(b, &row, b->l->shown[done++]);
		room = fits(b, &row, all - done) && done < rows;
		str_clear(&row);
		if (room)
			add_function(b, &row, &b->d->functions[b->l->shown[done]]);
	}
	str_free(&row);
	add_more(&b->text, all - done);
}

struct brief_options {
	size_t tokens; /* 0: not given */
};

static bool take_tokens(struct options *o, const char *value, struct str *err)
{
	struct brief_options *own = o->own;
	unsigned long n;
	if (!options_number(value, UINT32_MAX, &n) || n < TOKENS_LEAST)
		return str_fail(err, "--tokens is a number, %d or more, not '%s'", TOKENS_LEAST,
				value);
	own->tokens = n;
	return true;
}

static void show(struct view *v)
{
	struct derived d;
	struct listing l;
	const struct brief_options *own = v->options->own;
	size_t tokens = own->tokens ? own->tokens : TOKENS_DEFAULT;
	struct brief b = {.v = v, .d = &d, .l = &l, .room = tokens * TOKEN_BYTES};
	derive(&d, v->tree, v->load.zones.count);
	listing_make(&l, v, &d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_SELF);
	make(&b);
	fputs(str_text(&b.text), v->terminal.out);
	fputs(str_text(&b.end), v->terminal.out);
	str_free(&b.text);
	str_free(&b.end);
	listing_free(&l);
	derive_free(&d);
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_select),
    OPTIONS_OF(options_contexts),
    {0, "tokens", "N", "Output", OPTION_TAKE(take_tokens),
     "print N tokens (4 bytes each) at most, 100 or more; the default is 1000"},
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_below),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_brief = {
    .name = "brief",
    .options = options,
    .own_size = sizeof(struct brief_options),
    .sums = true,
    .show = show,
    .cpu_first = true,
};
