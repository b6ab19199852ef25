/* SPDX-License-Identifier: MIT */
/*
 * cmd_tune.c - `zprof tune`: lists functions too small to time, the compiler flags that leave these
 * functions out, and how much time the program gains.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/command/command.h"
#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/advise/leave_out.h"
#include "report/cxx/short_name.h"
#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/base/wrap.h"
#include "report/callgraph/parts.h"
#include "report/core/view/view.h"
#include "report/process/attach_wait.h"
#include "report/process/choose.h"
#include "report/process/live_process.h"

#define LEAST_SHARE 0.001 /* of the run: smaller gains are not listed */

enum { GAIN, PERCENT, SELF, CALLS, EACH, HOW, NAME, PLACE, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [GAIN] = {.head = "hooks", .right = true, .least = 8},
    [PERCENT] = {.head = "% run", .right = true, .gap = 1, .least = 6},
    [SELF] = {.head = "self", .right = true, .gap = 2, .least = 8},
    [CALLS] = {.head = "calls", .right = true, .gap = 2, .least = 8},
    [EACH] = {.head = "self/call", .right = true, .gap = 2, .least = 8, .drop = 2},
    [HOW] = {.head = "by", .gap = 2, .least = 4},
    [NAME] = {.head = "name", .gap = 2, .elastic = true, .shorten = short_name_fit},
    [PLACE] = {.head = "", .key = "place", .gap = 2, .drop = 1},
};

static const char *const ways[] = {"name", "file", "hand"};

struct tuning {
	struct view *v;
	const struct derived *d;
	struct leave_out o;
	double run_ns; /* all threads that are shown, hooks included */
};

/* What hooks cost in the threads or processes that are shown. A thread's part of its process's cost
 * is in proportion to its calls. */
static double hooks_time(const struct view *v)
{
	double ns = 0;
	const struct tree *t = v->tree;
	uint64_t *calls = memory_zeroed(v->load.process_count, sizeof *calls);
	for (size_t i = 0; i < t->count; i++)
		calls[t->threads[t->nodes[i].thread].process] += t->nodes[i].calls;
	for (size_t i = 0; i < v->load.process_count; i++)
		ns += load_process_hook_ns(&v->load.processes[i], calls[i]);
	free(calls);
	return ns;
}

static double run_time(const struct view *v, const struct derived *d)
{
	double inside = d->whole.ns + d->functions[0].self.ns;
	if (v->load.raw)
		return inside;
	bool whole = v->tree == &v->load.tree;
	return inside + (whole ? load_hook_ns(&v->load) : hooks_time(v));
}

static void add_row(struct tuning *t, struct table *table, const struct leave_out_function *l)
{
	char text[UNITS_TEXT];
	struct str place = {0};
	const struct view *v = t->v;
	const struct function *f = &t->d->functions[l->zone];
	table_row(table, TABLE_PLAIN);
	table_cell(table, GAIN, "%s", view_time(v, text, l->gain_ns));
	table_cell(table, PERCENT, "%s", units_percent(text, l->gain_ns, t->run_ns));
	table_cell(table, SELF, "%s", view_time(v, text, f->self.ns));
	table_cell(table, CALLS, "%s", units_count(text, f->calls));
	table_cell(table, EACH, "%s",
		   view_time(v, text, f->calls ? f->self.ns / (double)f->calls : 0));
	table_cell(table, HOW, "%s", ways[l->how]);
	table_cell(table, NAME, "%s", view_zone_name(t->v, l->zone));
	view_place(&v->load.zones.list[l->zone], &place);
	table_cell(table, PLACE, "%s", str_text(&place));
	str_free(&place);
}

static void print_by_hand(struct tuning *t)
{
	struct str text = {0};
	for (size_t i = 0; i < t->o.count; i++) {
		const struct leave_out_function *l = &t->o.list[i];
		if (l->how != LEAVE_OUT_HAND)
			continue;
		if (!text.used)
			str_add(&text, "\nBy hand, with __attribute__((no_instrument_function)) in "
				       "the source:\n");
		str_add(&text, "  ");
		visible_add(&text, view_zone_name(t->v, l->zone));
		str_add(&text, ": %s\n", l->why);
	}
	wrap_print(&t->v->terminal, str_text(&text));
	str_free(&text);
}

static void print_gain(const struct tuning *t, double gain_ns, const char *how)
{
	char run[UNITS_TEXT], gain[UNITS_TEXT], after[UNITS_TEXT], percent[UNITS_TEXT];
	struct str text = {0};
	str_add(&text, "%s: the run takes %s less, %s %%: %s instead of %s\n", how,
		view_time(t->v, gain, gain_ns), units_percent(percent, gain_ns, t->run_ns),
		view_time(t->v, after, t->run_ns - gain_ns), view_time(t->v, run, t->run_ns));
	wrap_print(&t->v->terminal, text.text);
	str_free(&text);
}

/* What helps where gcc has no flag that names functions. */
static void print_fentry(const struct tuning *t)
{
	struct str text = {0};
	if (t->o.inlining)
		str_add(&text,
			"With this flag gcc inlines more small functions, which then have no hooks "
			"(-mfentry):\n  %s\n",
			t->o.inlining);
	str_add(&text,
		"Without compiling, 'zprof tune --live' switches the hooks of these functions "
		"off in a process that runs.\n");
	wrap_print(&t->v->terminal, text.text);
	str_free(&text);
}

/* The flags for the next build: those that leave functions out, and the one for inlining. */
static void add_flags(const struct tuning *t, struct str *to)
{
	bool both = t->o.flags.used && t->o.inlining;
	str_add(to, "%s%s%s", str_text(&t->o.flags), both ? " " : "",
		t->o.inlining ? t->o.inlining : "");
}

static void print(struct tuning *t)
{
	FILE *to = t->v->terminal.out;
	struct table table;
	if (!t->o.count) {
		fputs(
		    "No function takes longer in its hooks than in itself: nothing to leave out.\n",
		    to);
		return;
	}
	parts_table(&table, t->v, columns, COLUMNS);
	size_t left = 0;
	for (size_t i = 0; i < t->o.count; i++) {
		if (t->o.list[i].gain_ns >= LEAST_SHARE * t->run_ns)
			add_row(t, &table, &t->o.list[i]);
		else
			left++;
	}
	table_print(&table, &t->v->terminal);
	table_free(&table);
	if (left)
		fprintf(to, "and %s of the same folder that take%s less\n",
			units_of((char[UNITS_TEXT]){0}, left, "function"), left == 1 ? "s" : "");
	fputs("\n", to);
	if (t->o.flags.used) {
		print_gain(t, t->o.flags_gain_ns, "With these flags for gcc");
		fprintf(to, "  %s\n", t->o.flags.text);
	}
	if (t->o.fentry)
		print_fentry(t);
	if (t->o.gain_ns > t->o.flags_gain_ns)
		print_gain(t, t->o.gain_ns, "Without any of these functions");
	print_by_hand(t);
}

static json_t *function_json(const struct tuning *t, const struct leave_out_function *l)
{
	const struct function *f = &t->d->functions[l->zone];
	const struct zone *z = &t->v->load.zones.list[l->zone];
	return json_pack("{s:o,s:o,s:I,s:I,s:f,s:f,s:s,s:o,s:o}", "name", view_json_text(z->name),
			 "file", *z->file ? view_json_text(z->file) : json_null(), "line",
			 (json_int_t)z->line, "calls", (json_int_t)f->calls, "gain_ns", l->gain_ns,
			 "self_ns", f->self.ns, "by", ways[l->how], "pattern",
			 l->pattern ? view_json_text(l->pattern) : json_null(), "why",
			 l->why ? view_json_text(l->why) : json_null());
}

static void print_json(const struct tuning *t)
{
	FILE *to = t->v->terminal.out;
	struct str flags = {0};
	bool first = true;
	view_json_member(to, "run_ns", json_real(t->run_ns));
	view_json_member(to, "gain_ns", json_real(t->o.gain_ns));
	view_json_member(to, "flags_gain_ns", json_real(t->o.flags_gain_ns));
	add_flags(t, &flags);
	view_json_member(to, "flags", view_json_text(str_text(&flags)));
	str_free(&flags);
	view_json_array(to, "leave_out");
	for (size_t i = 0; i < t->o.count; i++)
		view_json_item(to, &first, function_json(t, &t->o.list[i]));
	view_json_array_end(to);
}

static void open_tuning(struct tuning *t, struct view *v, const struct derived *d)
{
	*t = (struct tuning){.v = v, .d = d, .run_ns = run_time(v, d)};
	leave_out_make(&t->o, &v->load, d, t->run_ns, LEAST_SHARE);
}

static void text(struct view *v, const struct derived *d)
{
	struct tuning t;
	open_tuning(&t, v, d);
	print(&t);
	leave_out_free(&t.o);
}

static void json(struct view *v, const struct derived *d)
{
	struct tuning t;
	open_tuning(&t, v, d);
	print_json(&t);
	leave_out_free(&t.o);
}

static int tune_columns(const struct view *v, struct counter_columns *c)
{
	(void)v;
	memcpy(c->columns, columns, sizeof columns);
	return COLUMNS;
}

static void print_flags(struct view *v)
{
	struct derived d;
	struct tuning t;
	struct str flags = {0};
	derive(&d, v->tree, v->load.zones.count);
	open_tuning(&t, v, &d);
	add_flags(&t, &flags);
	fprintf(v->terminal.out, "%s\n", str_text(&flags));
	str_free(&flags);
	leave_out_free(&t.o);
	derive_free(&d);
}

struct tune_options {
	bool flags, live;
};

static void show(struct view *v)
{
	const struct tune_options *own = v->options->own;
	if (v->all_sampled)
		fputs("zprof: the program was sampled from outside: it has no hooks to leave out\n",
		      stderr);
	else if (own->flags && !v->options->json)
		print_flags(v);
	else
		parts_show(v, &(struct parts_of){text, json, tune_columns});
	if (v->counts_only)
		fputs("zprof: only calls were recorded, but tune needs times too: record without "
		      "sample=0\n",
		      stderr);
}

struct sum {
	uint32_t functions, switched;
};

/* Makes one request, and empties PATTERNS for the next. */
static bool ask(struct running *r, struct str *patterns, struct sum *sum, struct str *err)
{
	struct str profile = {0};
	bool ok = !patterns->used ||
		  attach_request(r, REQUEST_UNWATCH, str_text(patterns), &profile, err);
	if (ok && patterns->used) {
		sum->functions += r->matched;
		sum->switched += r->switched;
	}
	str_free(&profile);
	str_clear(patterns);
	return ok;
}

static bool ask_all(struct running *r, const struct view *v, const struct leave_out *o,
		    struct sum *sum, struct str *err)
{
	struct str patterns = {0}, one = {0};
	bool ok = choose_may(r, err);
	for (size_t i = 0; ok && i < o->count; i++) {
		const struct zone *z = &v->load.zones.list[o->list[i].zone];
		if (z->kind || z->nameless || view_unwatched(v, o->list[i].zone))
			continue;
		str_clear(&one);
		choose_add_name(&one, z->name);
		if (patterns.used + one.used + 2 > REQUEST_TEXT_BYTES)
			ok = ask(r, &patterns, sum, err);
		if (one.used + 2 <= REQUEST_TEXT_BYTES)
			choose_add_name(&patterns, z->name);
	}
	ok = ok && ask(r, &patterns, sum, err);
	str_free(&patterns);
	str_free(&one);
	return ok;
}

/* Unwatches the functions of O in the process that V shows. RUN_NS: its time, hooks included. */
static bool unwatch_all(struct view *v, const struct leave_out *o, double run_ns, struct str *err)
{
	char pid[16], functions[UNITS_TEXT], hooks[UNITS_TEXT], run[UNITS_TEXT],
	    percent[UNITS_TEXT];
	struct running r;
	struct sum sum = {0};
	snprintf(pid, sizeof pid, "%u", v->load.processes[0].header.pid);
	attach_catch_interrupts();
	bool ok = running_open(&r, pid, err) && ask_all(&r, v, o, &sum, err);
	running_close(&r);
	if (!ok)
		return false;
	if (!sum.functions) {
		say("process %s: nothing more to unwatch", pid);
		return true;
	}
	say("process %s: %s function%s %s unwatched; the hooks of their calls took %s of %s so far, "
	    "%s %%%s",
	    pid, units_count(functions, sum.functions), sum.functions == 1 ? "" : "s",
	    sum.functions == 1 ? "is" : "are", view_time(v, hooks, o->gain_ns),
	    view_time(v, run, run_ns), units_percent(percent, o->gain_ns, run_ns),
	    sum.switched ? "" : "; no hooks were switched off, so part of that remains");
	return true;
}

static bool unwatch(struct view *v, struct str *err)
{
	struct derived d;
	struct tuning t;
	derive(&d, v->tree, v->load.zones.count);
	open_tuning(&t, v, &d);
	bool ok = unwatch_all(v, &t.o, t.run_ns, err);
	leave_out_free(&t.o);
	derive_free(&d);
	return ok;
}

static bool run_live(struct options *o, struct str *err)
{
	struct live_process process = {0};
	struct view v;
	if (!live_process_one(&process, o->path_count ? o->paths[0] : NULL, err))
		return false;
	char *paths[] = {process.path};
	o->paths = paths;
	o->path_count = 1;
	bool ok = view_open(&v, o, err);
	if (ok) {
		ok = unwatch(&v, err);
		view_close(&v);
	}
	o->path_count = 0;
	live_process_free(&process);
	return ok;
}

static int run(struct options *o, struct str *err)
{
	const struct tune_options *own = o->own;
	if (!own->live)
		return command_show(show, o, err);
	return run_live(o, err) ? command_end() : EXIT_FAILED;
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_parts),
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_part_of),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_json),
    {0, "flags", NULL, NULL, OPTION_OWN_FLAG(tune_options, flags),
     "print only the flags, on one line, which is empty if there are none"},
    {0, "live", NULL, NULL, OPTION_OWN_FLAG(tune_options, live),
     "unwatch these functions in a running process, named by its number, profile or program"},
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_columns),
    OPTIONS_OF(options_terminal),
    OPTIONS_END,
};

const struct command cmd_tune = {
    .name = "tune",
    .options = options,
    .own_size = sizeof(struct tune_options),
    .sums = true,
    .run = run,
};
