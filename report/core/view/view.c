/* SPDX-License-Identifier: MIT */
/* view.c - see view.h: opens a view; names, places and times in its rows. */
#include "report/core/view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/progress.h"
#include "report/core/base/units.h"
#include "report/core/load/below.h"
#include "report/cxx/short_name.h"

bool view_find_counter(struct view *v, struct str *err)
{
	struct filters *f = &v->options->filters;
	if (f->sort != FILTER_SORT_COUNTER)
		return true;
	for (f->sort_counter = 0; f->sort_counter < v->load.column_count; f->sort_counter++)
		if (!strcmp(v->load.columns[f->sort_counter], f->sort_name))
			return true;
	return str_fail(
	    err,
	    "--sort is one of self, total, calls, error, waited and name, or a counter of the "
	    "profile, not '%s'",
	    f->sort_name);
}

static bool check_waits(const struct view *v, struct str *err)
{
	const struct load *l = &v->load;
	for (size_t i = 0; v->options->waits && i < l->process_count; i++)
		if (!load_knows_waits(&l->processes[i]))
			return str_fail(
			    err,
			    "'%s' does not tell when threads waited: it was sampled from outside, "
			    "or the kernel was not asked (sample=0), or refused (perf_event_open)",
			    l->processes[i].path);
	return true;
}

/* Whether what is shown is a piece of a profile, such as a frame. */
static bool is_piece(const struct load_set *sets, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (sets[i].pick.by)
			return true;
	return false;
}

bool view_choose_measure(struct view *v, struct str *err)
{
	const struct options *o = v->options;
	v->measure = TIME_OWN;
	if (o->time) {
		measure_parse(o->time, &v->measure);
		const struct process *p = load_unknown_measure(&v->load, v->measure);
		return !p ||
		       str_fail(err,
				"'%s' does not tell this time (--time %s): the kernel was not "
				"asked (sample=0), or refused (perf_event_open); --time own "
				"shows what is known",
				p->path, o->time);
	}
	if (o->cpu_first && !v->piece && !o->waits && o->filters.sort != FILTER_SORT_WAITED &&
	    !load_names_waits(&v->load) && !load_unknown_measure(&v->load, TIME_CPU))
		v->measure = TIME_CPU;
	return true;
}

/* Whether the whole of P's times on a processor is known, but for what its hooks took. */
static bool knows_whole(const struct process *p)
{
	return p->header.mode == ZPROF_MODE_COUNT && !p->header.native_samples;
}

/* The most that the whole can be in each measure (estimate.h). */
static void find_whole(struct view *v)
{
	struct cost whole = {0};
	bool known = true;
	for (size_t i = 0; i < v->tree->count; i++)
		cost_add(&whole, &v->tree->nodes[i].self);
	for (size_t i = 0; i < v->load.process_count; i++)
		known = known && knows_whole(&v->load.processes[i]);
	for (int m = 0; m < TIME_MEASURES; m++) {
		struct cost c = measure_cost((enum time_measure)m, &whole);
		double hooks = m == TIME_WAIT ? 0 : load_hook_ns(&v->load);
		v->whole_ns[m] = c.ns + (known ? hooks : cost_total_bar(&c));
	}
}

static bool prepare(struct view *v, struct str *err)
{
	struct options *o = v->options;
	if (!view_find_counter(v, err) || !check_waits(v, err) || !view_choose_measure(v, err) ||
	    !loader_check(&v->load, o, err))
		return false;
	v->left_alone = left_alone_find(&v->load);
	if (o->below)
		below_divide(&v->load);
	groups_add_lent(&v->groups, &v->load.zones);
	/* Statements are filtered without zones. */
	if (!o->counts &&
	    !filters_check(&o->filters, &v->load.zones, &v->load.tree, &v->groups, err))
		return false;
	v->tree = &v->load.tree;
	if (!filters_keep_tree(&o->filters)) {
		filters_tree(&v->filtered, &v->load.tree, &o->filters, &v->load.zones, &v->groups);
		v->tree = &v->filtered;
	}
	find_whole(v);
	return groups_map(&v->group_map, &v->groups, o->metric, &v->load.zones, err);
}

/* Views that tell threads or processes apart need a tree with those of each. */
static unsigned fold(const struct options *o)
{
	const struct filters *f = &o->filters;
	bool apart = o->by_thread || o->by_process || o->by_rank || o->tree || f->thread.count ||
		     f->pid.count;
	if (!o->sums || o->apart || apart || (o->json && !filters_keep_tree(f)))
		return 0;
	return o->sets ? LOAD_FOLD_RUNS : LOAD_FOLD;
}

bool view_open(struct view *v, struct options *o, struct str *err)
{
	*v = (struct view){.options = o};
	unsigned how = (o->run ? LOAD_WHOLE_RUN : 0) | (o->raw ? LOAD_RAW : 0) |
		       (o->force ? LOAD_ANYONE : 0) | (o->apart ? LOAD_APART : 0) | fold(o);
	struct load_set all = {.paths = o->paths, .count = o->path_count};
	struct load_set *sets = o->sets ? o->sets : &all;
	size_t set_count = o->sets ? o->set_count : 1;
	if (!loader_choose(o, sets, set_count, &how, err) ||
	    !groups_load(&v->groups, o->groups_path, o->force, err))
		return false;
	v->piece = is_piece(sets, set_count);
	for (size_t i = 0; i < set_count; i++) {
		sets[i].since = o->since;
		sets[i].recording = o->filters.recording;
	}
	if (!load_sets(&v->load, sets, set_count, how, err)) {
		groups_free(&v->groups);
		return false;
	}
	v->fake = load_is_fake(&v->load);
	v->counts_only = load_counts_only(&v->load);
	v->sampled = load_sampled(&v->load, &v->all_sampled);
	v->knows_waits = load_all_know_waits(&v->load);
	const struct process *first = v->load.processes;
	if (v->piece && v->load.process_count == 1 && !v->fake)
		v->most_ns = first->elapsed_ns;
	if (v->piece && first->header.mode == ZPROF_MODE_COUNT)
		v->least_bar_ns = 2.0 * (double)first->header.sample_period_ns;
	bool ok = prepare(v, err);
	progress_end();
	fputs(str_text(&v->load.warnings), stderr);
	if (!ok)
		view_close(v);
	else
		terminal_open(&v->terminal, o->json ? TERMINAL_NEVER : o->color, o->width,
			      !o->json && !o->no_pager);
	return ok;
}

bool view_uncounted(const struct view *v, uint64_t calls)
{
	return v->sampled && !calls;
}

const char *view_calls(const struct view *v, char text[UNITS_TEXT], uint64_t calls)
{
	return view_uncounted(v, calls) ? "sampled" : units_count(text, calls);
}

void view_close(struct view *v)
{
	groups_map_free(&v->group_map);
	for (size_t i = 0; i < v->short_count; i++)
		free(v->short_names[i].shortened);
	free(v->short_names);
	groups_free(&v->groups);
	tree_free(&v->filtered);
	load_free(&v->load);
}

/* Whether a zone's name is one that a compiler made of a longer one. */
static bool is_demangled(const struct zone *z)
{
	return !z->kind && (!strncmp(z->linkage, "_Z", 2) || !strncmp(z->linkage, "_R", 2));
}

/* A zone may be new: views of processes that run find more of them. */
static void make_short_names(struct view *v)
{
	const struct zones *z = &v->load.zones;
	for (size_t i = 0; i < v->short_count; i++)
		free(v->short_names[i].shortened);
	v->short_names = memory_resize(v->short_names, z->count, sizeof *v->short_names);
	v->short_count = z->count;
	for (size_t i = 0; i < z->count; i++)
		v->short_names[i] = (struct short_names_of){.name = z->list[i].name,
							    .as_is = !is_demangled(&z->list[i])};
	short_names(v->short_names, z->count);
}

const char *view_zone_name(struct view *v, uint32_t zone)
{
	if (v->options->full_names)
		return v->load.zones.list[zone].name;
	if (v->short_count != v->load.zones.count)
		make_short_names(v);
	return v->short_names[zone].shortened;
}

bool view_is_sampled(const struct view *v, uint32_t zone)
{
	return v->load.zones.list[zone].kind == ZPROF_ZONE_SAMPLED;
}

const struct choice *view_unwatched(const struct view *v, uint32_t zone)
{
	return choices_unwatched(&v->load.choices, &v->groups, &v->load.zones, zone);
}

const char *view_state(const struct view *v, uint32_t zone, bool open)
{
	if (view_unwatched(v, zone))
		return open ? " (open) " CHOICES_ROW : " " CHOICES_ROW;
	return open ? " (open)" : "";
}

const char *view_group_name(const struct view *v, uint32_t zone)
{
	uint32_t group = v->group_map.of_zone[zone];
	return group == GROUP_NONE ? v->load.zones.list[zone].group : v->groups.list[group].name;
}

#define AFTER_NAME 40 /* columns of a name that is a hint */

void view_place(const struct zone *z, struct str *text)
{
	struct str name = {0};
	str_clear(text);
	if (*z->file) {
		str_add(text, z->line ? "%s:%u" : "%s", zones_base_name(z->file), z->line);
	} else if (z->after) {
		short_name_fit(&name, z->after, NULL, AFTER_NAME);
		str_add(text, "after %s", str_text(&name));
	}
	str_free(&name);
}

/* Of a fake clock, ticks are shown. */
static double ns_per_unit(const struct view *v)
{
	return v->fake ? load_ns_per_tick(&v->load) : 1;
}

const char *view_time(const struct view *v, char *text, double ns)
{
	return units_time(text, ns / ns_per_unit(v), v->fake);
}

/* The bar of what ran at all; 0 is exact. */
static double bar_in(const struct view *v, double bar_ns)
{
	return bar_ns > 0 ? fmax(bar_ns, v->least_bar_ns) : 0;
}

/* The most that a row of NS can be: the length of the piece, or the whole; 0: not known. */
static double most_of(const struct view *v, double ns)
{
	double whole = v->whole_ns[v->measure];
	return v->piece ? v->most_ns : whole > 0 ? fmax(whole, ns) : 0;
}

const char *view_bounded(const struct view *v, char *text, double ns, double bar_ns)
{
	return view_bounded_by(v, text, ns, bar_in(v, bar_ns), most_of(v, ns));
}

const char *view_each(const struct view *v, char *text, double ns, double bar_ns, uint64_t calls)
{
	double n = (double)calls;
	return view_bounded_by(v, text, ns / n, bar_in(v, bar_ns) / n, most_of(v, ns) / n);
}

const char *view_bounded_by(const struct view *v, char *text, double ns, double bar_ns,
			    double most_ns)
{
	char bound[UNITS_TEXT];
	double upper = cost_upper(ns, bar_ns), most = most_ns > 0 ? most_ns : INFINITY;
	if (!cost_is_bound(ns, bar_ns))
		return view_time(v, text, fmin(ns, most));
	if (units_round_up(upper, 0.1) <= most)
		return units_below(text, upper / ns_per_unit(v), v->fake);
	snprintf(text, UNITS_TEXT, "<%.38s", view_time(v, bound, most));
	return text;
}

const char *view_bar(const struct view *v, char *text, double ns, double bar_ns)
{
	char bar[UNITS_TEXT];
	if (cost_is_bound(ns, bar_in(v, bar_ns)) || !*units_bar(bar, bar_ns, ns))
		return "";
	snprintf(text, UNITS_TEXT, "+-%.37s", bar);
	return text;
}

const char *view_percent(const struct view *v, char *text, double ns, double bar_ns,
			 double whole_ns)
{
	double bar = bar_in(v, bar_ns);
	return cost_is_bound(ns, bar) ? units_percent_below(text, cost_upper(ns, bar), whole_ns)
				      : units_percent(text, ns, whole_ns);
}

const char *view_known_total(const struct view *v, char *text, double ns, double bar_ns, bool low)
{
	char known[UNITS_TEXT];
	if (!low)
		return view_bounded(v, text, ns, bar_ns);
	view_time(v, known, cost_is_bound(ns, bar_in(v, bar_ns)) ? 0 : ns);
	snprintf(text, UNITS_TEXT, VIEW_AT_LEAST "%.37s", known);
	return text;
}

void view_say_empty(const struct view *v, const struct derived *d)
{
	if (d->zones_used)
		fputs("zprof: nothing to show: no function in the profile is selected\n", stderr);
	else if (!filters_keep_tree(&v->options->filters))
		fputs("zprof: nothing to show: no context passes the filters\n", stderr);
	else
		fputs("zprof: the profile is empty: no zone was entered\n", stderr);
}

bool view_may_write(const struct view *v, const struct file_output *output, const char *path,
		    struct str *err)
{
	struct find_files inputs = {0};
	const struct options *o = v->options;
	for (size_t i = 0; i < v->load.process_count; i++)
		find_files_add(&inputs, v->load.processes[i].path);
	for (size_t i = 0; i < v->load.left_out_count; i++)
		find_files_add(&inputs, v->load.left_out[i].path);
	if (o->since)
		find_files_add(&inputs, o->since);
	if (o->groups_path)
		find_files_add(&inputs, o->groups_path);
	bool may = file_may_write(output, path, inputs.paths, inputs.count, o->force, err);
	find_files_free(&inputs);
	return may;
}
