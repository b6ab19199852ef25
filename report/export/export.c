/* SPDX-License-Identifier: MIT */
/* export.c - see export.h: what the formats share. */
#include "report/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/export/walk.h"

static bool begins_so(const char *head, size_t bytes, const void *context)
{
	const struct export_format *format = context;
	if (format->is_one)
		return format->is_one(head, bytes);
	if (!format->begins)
		return false;
	size_t n = strlen(format->begins);
	return bytes >= n && !memcmp(head, format->begins, n);
}

struct file_output export_output(const struct export_format *format, struct str *what)
{
	str_clear(what);
	str_add(what, "a file in the format '%s'", format->name);
	return (struct file_output){
	    .what = what->text, .kind = FILE_FOREIGN, .is_one = begins_so, .context = format};
}

/* Makes a time whole and at least 0. *REST carries fractions to the zone's next context. */
static void make_whole(double *ns, double *rest)
{
	if (*ns < 0)
		*ns = 0;
	*rest += *ns;
	*ns = floor(*rest + 1e-6);
	*rest -= *ns;
}

/*
 * Makes the tree's times add up; returns by how much the sum grew. A fraction that rounding takes
 * from one context of a zone goes to the zone's next, so a zone with a thousand short contexts
 * loses nothing.
 */
static double make_add_up(struct tree *t, size_t zone_count)
{
	double *rest = memory_zeroed(2 * zone_count, sizeof *rest), added = 0;
	for (size_t i = 0; i < t->count; i++) {
		struct node *n = &t->nodes[i];
		added -= n->self.ns < 0 ? n->self.ns : 0;
		make_whole(&n->self.ns, &rest[n->zone]);
		make_whole(&n->self.wait_ns, &rest[zone_count + n->zone]);
	}
	free(rest);
	return added;
}

/* Warns if replacing times below zero by 0 adds more than one percent to the whole. */
static void say_added(const struct export *e, double whole)
{
	char added[UNITS_TEXT];
	if (e->added_ns * 100 > whole)
		say("contexts whose times came out below zero have none here, which adds %s to the "
		    "whole; with --raw nothing is added",
		    view_time(e->view, added, e->added_ns));
}

/* Puts the view's measure in the place of each context's time. */
static void show_measure(struct tree *t, const struct view *v)
{
	for (size_t i = 0; i < t->count; i++)
		t->nodes[i].self = view_shown(v, &t->nodes[i].self);
}

bool export_make(FILE *to, const struct export_format *format, struct view *v, struct str *err)
{
	struct derived d;
	struct listing l;
	struct export e = {to, v, &v->load.zones, v->tree, &d, &l, 0};
	if (!format->names_measures) {
		show_measure(v->tree, v);
		v->measure = TIME_OWN;
	}
	derive(&d, v->tree, v->load.zones.count);
	if (format->adds_up) {
		double whole = d.whole.ns;
		e.added_ns = make_add_up(v->tree, v->load.zones.count);
		if (!format->repeats)
			say_added(&e, whole);
		derive_free(&d);
		derive(&d, v->tree, v->load.zones.count);
	}
	listing_make(&l, v, &d, FILTER_SORT_SELF);
	bool ok = format->write(&e, err);
	listing_free(&l);
	derive_free(&d);
	return ok;
}

size_t export_further_count(const struct export *e)
{
	return e->view->load.column_count + e->view->knows_waits;
}

bool export_further_is_time(const struct export *e, size_t measure)
{
	return measure == e->view->load.column_count;
}

const char *export_further_name(const struct export *e, size_t measure)
{
	return export_further_is_time(e, measure) ? "waited" : e->view->load.columns[measure];
}

int64_t export_further(const struct export *e, const struct cost *c, size_t measure)
{
	return export_further_is_time(e, measure) ? (int64_t)c->wait_ns
						  : export_counter(c, measure);
}

const char *export_zone_name(const struct export *e, uint32_t zone)
{
	return zone ? e->zones->list[zone].name : VIEW_OVERFLOW;
}

const char *export_module(const struct export *e, uint32_t zone)
{
	uint32_t module = e->zones->list[zone].module;
	return module == ZONE_NO_MODULE ? "" : e->zones->modules[module].path;
}

void export_thread_name(const struct export *e, uint32_t thread, struct str *text)
{
	const struct tree_thread *t = &e->tree->threads[thread];
	str_clear(text);
	str_add(text, "%s (%u", *t->name ? t->name : "thread", t->tid);
	if (e->view->load.process_count > 1 && t->pid)
		str_add(text, ", process %u", t->pid);
	str_add(text, ")");
}

const char *export_title(const struct export *e)
{
	const struct process *p = &e->view->load.processes[0];
	return *p->command ? p->command : p->path;
}

void export_json_text(const struct export *e, const char *text)
{
	view_json_write(e->to, view_json_text(text));
}

void export_quoted(const struct export *e, const char *text)
{
	struct str shown = {0};
	visible_add(&shown, text);
	fputc('"', e->to);
	for (const char *c = str_text(&shown); *c; c++) {
		if (*c == '"')
			fputc('"', e->to);
		fputc(*c, e->to);
	}
	fputc('"', e->to);
	str_free(&shown);
}

void export_say_shortened(size_t contexts)
{
	char count[UNITS_TEXT];
	if (contexts)
		say("%s %s deeper than %d frames; %s each function once",
		    units_of(count, contexts, "context"), contexts == 1 ? "is" : "are",
		    WALK_DEEPEST, contexts == 1 ? "its path has" : "their paths have");
}
