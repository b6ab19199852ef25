/* SPDX-License-Identifier: MIT */
/*
 * folded.c - folded stacks, one line per context: `thread;main;parse;scan 1234`. FlameGraph,
 * inferno and speedscope read this format. The number is nanoseconds, or calls if only calls were
 * recorded.
 */
#include <inttypes.h>

#include "report/core/base/visible.h"
#include "report/export/export.h"
#include "report/export/walk.h"

struct folded {
	const struct export *e;
	struct str thread, name;
};

/* Puts one name. Semicolons separate names, so those inside a name are replaced. */
static void put_frame(struct folded *f, const char *name)
{
	str_clear(&f->name);
	visible_add(&f->name, name);
	for (char *c = f->name.text; c && *c; c++)
		if (*c == ';')
			*c = ':';
	fputs(str_text(&f->name), f->e->to);
}

static void put_context(void *context, uint32_t node, const struct path *path)
{
	struct folded *f = context;
	int64_t weight = export_weight(f->e, &f->e->tree->nodes[node]);
	if (!weight)
		return;
	put_frame(f, f->thread.text);
	for (size_t i = 0; i < path->count; i++) {
		fputc(';', f->e->to);
		put_frame(f, export_zone_name(f->e, path->zones[i]));
	}
	fprintf(f->e->to, " %" PRId64 "\n", weight);
}

static bool write_profile(const struct export *e, struct str *err)
{
	struct folded f = {.e = e};
	struct tree_children c = tree_children(e->tree);
	size_t shortened = 0;
	(void)err;
	for (uint32_t i = 0; i < e->tree->thread_count; i++) {
		export_thread_name(e, i, &f.thread);
		shortened += walk_paths(e->tree, &c, i, e->zones->count, put_context, &f);
	}
	export_say_shortened(shortened);
	tree_children_free(&c);
	str_free(&f.thread);
	str_free(&f.name);
	return true;
}

const struct export_format folded_format = {
    .name = "folded",
    .summary = "FlameGraph, inferno, speedscope",
    .adds_up = true,
    .write = write_profile,
};
