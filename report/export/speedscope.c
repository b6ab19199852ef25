/* SPDX-License-Identifier: MIT */
/*
 * speedscope.c - the file format of https://www.speedscope.app:
 * https://www.speedscope.app/file-format-schema.json
 *
 * Each thread has a profile for each measure: time, calls, and the further measures of export.h. A
 * profile is a row of events with rising values. A frame opens at the sum of all earlier frames,
 * and closes after its callees' values and its own have been added.
 *
 * A profile has no order of time. So callees stand in the order of their sums, the heaviest first,
 * and the view "Time Order", which opens first, shows what "Left Heavy" shows. (A file cannot say
 * which view opens first; the address of the page can: `#view=left-heavy`.)
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/export/export.h"
#include "report/export/walk.h"

enum measure { TIME, CALLS, FIRST_FURTHER };

struct speedscope {
	const struct export *e;
	size_t measure;
	int64_t at;
	bool first;
};

static int64_t value(const struct speedscope *s, const struct node *n)
{
	if (s->measure == TIME)
		return export_ns(&n->self);
	return s->measure == CALLS ? (int64_t)n->calls
				   : export_further(s->e, &n->self, s->measure - FIRST_FURTHER);
}

static void put_event(struct speedscope *s, char type, uint32_t zone)
{
	fprintf(s->e->to, "%s{\"type\":\"%c\",\"frame\":%u,\"at\":%" PRId64 "}",
		s->first ? "" : ",", type, zone, s->at);
	s->first = false;
}

static void open_frame(void *context, uint32_t node, uint32_t depth)
{
	struct speedscope *s = context;
	(void)depth;
	put_event(s, 'O', s->e->tree->nodes[node].zone);
}

static void close_frame(void *context, uint32_t node, uint32_t depth)
{
	struct speedscope *s = context;
	const struct node *n = &s->e->tree->nodes[node];
	(void)depth;
	s->at += value(s, n);
	put_event(s, 'C', n->zone);
}

/* A context with its parent and its value, summed up with all below it. */
struct summed {
	uint32_t node, parent;
	int64_t sum;
};

/* By parent; the heaviest first. */
static int by_weight(const void *left, const void *right)
{
	const struct summed *a = left, *b = right;
	int order = memory_order(a->parent, b->parent);
	if (!order)
		order = memory_order(b->sum, a->sum);
	return order ? order : memory_order(a->node, b->node);
}

/* The children of each context, the heaviest first; for tree_children_free(). */
static struct tree_children heaviest_first(const struct speedscope *s)
{
	const struct tree *t = s->e->tree;
	struct tree_children c = tree_children(t);
	struct summed *all = memory_zeroed(t->count, sizeof *all);
	for (size_t i = t->count; i-- > 0;) {
		uint32_t parent = t->nodes[i].parent;
		all[i].node = (uint32_t)i;
		all[i].parent = parent;
		all[i].sum += value(s, &t->nodes[i]);
		if (parent != i)
			all[parent].sum += all[i].sum;
	}
	qsort(all, t->count, sizeof *all, by_weight);
	uint32_t last = TREE_NONE; /* the child before, of the same parent */
	for (size_t i = 0; i < t->count; i++) {
		const struct summed *a = &all[i];
		if (a->node == a->parent)
			continue;
		if (last == TREE_NONE || t->nodes[last].parent != a->parent)
			c.first[a->parent] = a->node;
		else
			c.next[last] = a->node;
		c.next[a->node] = TREE_NONE;
		last = a->node;
	}
	free(all);
	return c;
}

static int64_t thread_sum(const struct speedscope *s, uint32_t thread)
{
	const struct tree *t = s->e->tree;
	int64_t sum = 0;
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].thread == thread && t->nodes[i].parent != i)
			sum += value(s, &t->nodes[i]);
	return sum;
}

static void put_profile(struct speedscope *s, const struct tree_children *c, uint32_t thread,
			bool first)
{
	static const struct walk steps = {open_frame, close_frame};
	bool time = s->measure == TIME;
	const char *measure = "time";
	if (s->measure == CALLS)
		measure = "calls";
	if (s->measure >= FIRST_FURTHER) {
		measure = export_further_name(s->e, s->measure - FIRST_FURTHER);
		time = export_further_is_time(s->e, s->measure - FIRST_FURTHER);
	}
	struct str name = {0};
	export_thread_name(s->e, thread, &name);
	str_add(&name, ": %s", measure);
	fprintf(s->e->to, "%s{\"type\":\"evented\",\"name\":", first ? "" : ",\n");
	export_json_text(s->e, name.text);
	fprintf(s->e->to, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRId64 ",\"events\":[",
		time ? "nanoseconds" : "none", thread_sum(s, thread));
	s->at = 0;
	s->first = true;
	walk_thread(s->e->tree, c, thread, &steps, s);
	fputs("]}", s->e->to);
	str_free(&name);
}

static void put_frames(const struct export *e)
{
	for (uint32_t i = 0; i < e->zones->count; i++) {
		const struct zone *z = &e->zones->list[i];
		fputs(i ? ",\n{\"name\":" : "{\"name\":", e->to);
		export_json_text(e, export_zone_name(e, i));
		if (*z->file) {
			fputs(",\"file\":", e->to);
			export_json_text(e, z->file);
		}
		if (z->line)
			fprintf(e->to, ",\"line\":%u", z->line);
		fputc('}', e->to);
	}
}

static bool write_profile(const struct export *e, struct str *err)
{
	struct speedscope s = {.e = e};
	bool first = true;
	(void)err;
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\":\"zprof\",\"activeProfileIndex\":0,\"name\":",
	      e->to);
	export_json_text(e, export_title(e));
	fputs(",\n\"shared\":{\"frames\":[", e->to);
	put_frames(e);
	fputs("]},\n\"profiles\":[", e->to);
	for (s.measure = e->view->counts_only ? CALLS : TIME;
	     s.measure < FIRST_FURTHER + export_further_count(e); s.measure++) {
		if (s.measure == CALLS && e->view->sampled)
			continue;
		struct tree_children c = heaviest_first(&s);
		for (uint32_t i = 0; i < e->tree->thread_count; i++) {
			put_profile(&s, &c, i, first);
			first = false;
		}
		tree_children_free(&c);
	}
	fputs("]}\n", e->to);
	return true;
}

const struct export_format speedscope_format = {
    .name = "speedscope",
    .begins = "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n",
    .summary = "speedscope",
    .adds_up = true,
    .write = write_profile,
};
