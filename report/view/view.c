/* SPDX-License-Identifier: MIT */
/* view.c - see view.h: opens a view; names, places and times in its rows. */
#include "report/view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/base/progress.h"
#include "report/model/short_name.h"
#include "report/base/units.h"

static bool find_counter(struct view *v, struct str *err)
{
	struct filters *f = &v->options->filters;
	if (f->sort != FILTER_SORT_COUNTER)
		return true;
	for (f->sort_counter = 0; f->sort_counter < v->load.column_count; f->sort_counter++)
		if (!strcmp(v->load.columns[f->sort_counter], f->sort_name))
			return true;
	return str_fail(err,
			"--sort is one of self, total, calls, error and name, or a counter of the "
			"profile, not '%s'",
			f->sort_name);
}

static bool prepare(struct view *v, struct str *err)
{
	struct options *o = v->options;
	if (!find_counter(v, err))
		return false;
	groups_add_lent(&v->groups, &v->load.zones);
	if (!filters_check(&o->filters, &v->load.zones, &v->load.tree, &v->groups, err))
		return false;
	v->tree = &v->load.tree;
	if (!filters_keep_tree(&o->filters)) {
		filters_tree(&v->filtered, &v->load.tree, &o->filters, &v->load.zones, &v->groups);
		v->tree = &v->filtered;
	}
	return groups_map(&v->group_map, &v->groups, o->metric, &v->load.zones, err);
}

bool view_open(struct view *v, struct options *o, struct str *err)
{
	*v = (struct view){.options = o};
	unsigned how = (o->run ? LOAD_WHOLE_RUN : 0) | (o->raw ? LOAD_RAW : 0) |
		       (o->force ? LOAD_ANYONE : 0) | (o->apart ? LOAD_APART : 0);
	if (!groups_load(&v->groups, o->groups_path, o->force, err))
		return false;
	if (!load_paths(&v->load, o->paths, o->path_count, how, err)) {
		groups_free(&v->groups);
		return false;
	}
	v->fake = load_is_fake(&v->load);
	v->counts_only = load_counts_only(&v->load);
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

void view_close(struct view *v)
{
	group_map_free(&v->group_map);
	str_free(&v->name);
	groups_free(&v->groups);
	tree_free(&v->filtered);
	load_free(&v->load);
}

const char *view_zone_name(struct view *v, uint32_t zone)
{
	const char *name = v->load.zones.list[zone].name;
	if (v->options->full_names)
		return name;
	short_name(&v->name, name);
	return v->name.text;
}

const char *view_group_name(const struct view *v, uint32_t zone)
{
	uint32_t group = v->group_map.of_zone[zone];
	return group == GROUP_NONE ? v->load.zones.list[zone].group : v->groups.list[group].name;
}

void view_place(const struct zone *z, struct str *text)
{
	str_clear(text);
	if (*z->file)
		str_add(text, z->line ? "%s:%u" : "%s", zones_base_name(z->file), z->line);
}

const char *view_time(const struct view *v, char *text, double ns)
{
	return units_time(text, ns / (v->fake ? load_ns_per_tick(&v->load) : 1), v->fake);
}

bool view_in_noise(double ns, double bar_ns)
{
	return bar_ns > 0 && ns <= bar_ns;
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
