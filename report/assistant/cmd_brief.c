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
#define FUNCTIONS_MOST 10
#define CALLERS_MOST   3

struct brief {
	struct view *v;
	const struct derived *d;
	const struct listing *l;
	struct str text, end;
	size_t room; /* bytes */
};

static void add_name(const struct brief *b, struct str *to, uint32_t zone)
{
	visible_add(to, zone ? view_zone_name(b->v, zone) : "(outside of all zones)");
}

static void add_measures(const struct brief *b, struct str *to, double ns, double bar_ns)
{
	char text[UNITS_TEXT];
	str_add(to, "%s", view_time(b->v, text, ns));
	if (bar_ns > 0)
		str_add(to, " +-%s", units_bar(text, bar_ns, ns));
}

static void add_function(const struct brief *b, struct str *to, const struct function *f)
{
	char text[UNITS_TEXT];
	struct str place = {0};
	add_name(b, to, f->zone);
	view_place(&b->v->load.zones.list[f->zone], &place);
	if (place.used) {
		str_add(to, " (");
		visible_add(to, place.text);
		str_add(to, ")");
	}
	str_add(to, ": ");
	if (!b->v->counts_only) {
		struct cost self = view_shown(b->v, &f->self), total = view_shown(b->v, &f->total);
		struct cost whole = view_shown(b->v, &b->d->whole);
		str_add(to, "self ");
		add_measures(b, to, self.ns, cost_self_bar(&self));
		str_add(to, " (%s%%), total %s", units_percent(text, self.ns, whole.ns),
			f->low ? ">=" : "");
		add_measures(b, to, total.ns, cost_total_bar(&total));
		str_add(to, ", ");
	}
	str_add(to, "%s call%s\n", units_count(text, f->calls), f->calls == 1 ? "" : "s");
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
			add_measures(b, to, total.ns, cost_total_bar(&total));
			str_add(to, ", ");
		}
		str_add(to, "%s call%s\n", units_count(text, arcs[i]->calls),
			arcs[i]->calls == 1 ? "" : "s");
	}
	if (count > CALLERS_MOST)
		str_add(to, "    and %zu other callers\n", count - CALLERS_MOST);
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

/* Adds ROW to the text, unless that would leave no room for the end. False: there is no room. */
static bool fits(struct brief *b, const struct str *row)
{
	if (b->text.used + row->used + b->end.used > b->room)
		return false;
	str_add(&b->text, "%s", str_text(row));
	return true;
}

static void make(struct brief *b)
{
	size_t rows = b->l->shown_count < FUNCTIONS_MOST ? b->l->shown_count : FUNCTIONS_MOST;
	size_t done = 0;
	char text[UNITS_TEXT];
	bool room = true;
	char *head = view_head_text(b->v, b->d);
	str_add(&b->text, "%s", head);
	free(head);
	add_uncertain(b, rows);
	for (; done < rows && room; done++) {
		struct str row = {0};
		add_function(b, &row, &b->d->functions[b->l->shown[done]]);
		room = fits(b, &row);
		str_clear(&row);
		add_callers(b, &row, b->l->shown[done]);
		room = room && fits(b, &row);
		str_free(&row);
	}
	if (b->l->shown_count > done)
		str_add(&b->text, "(%s more functions: zprof report)\n",
			units_count(text, b->l->shown_count - done));
}

struct brief_options {
	size_t tokens; /* 0: not given */
};

static bool take_tokens(struct options *o, const char *value, struct str *err)
{
	struct brief_options *own = o->own;
	return (own->tokens = options_count("--tokens is a number", value, err));
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
     "print about so many tokens (4 bytes each) at most; the default is 1000"},
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
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
