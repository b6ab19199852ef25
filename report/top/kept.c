/* SPDX-License-Identifier: MIT */
/* kept.c - see kept.h. */
#include "report/top/kept.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

void kept_make(struct kept *k, struct view *v, struct tree *from, const struct filters *f)
{
	if (k->made)
		return;
	k->made = true;
	k->view = v;
	k->zones = v->load.zones.count;
	tree_free(&v->filtered);
	v->tree = from;
	groups_add_lent(&v->groups, &v->load.zones);
	if (!filters_keep_tree(f)) {
		filters_tree(&v->filtered, v->tree, f, &v->load.zones, &v->groups);
		v->tree = &v->filtered;
	}
	derive(&k->derived, v->tree, v->load.zones.count);
}

void kept_contexts(struct kept *k)
{
	if (k->has_contexts)
		return;
	k->has_contexts = true;
	k->children = tree_children(k->view->tree);
	k->totals = tree_totals(k->view->tree);
}

struct callers *kept_callers(struct kept *k)
{
	if (!k->has_callers)
		callers_init(&k->callers, k->view->tree, k->view->load.zones.count);
	k->has_callers = true;
	return &k->callers;
}

const struct lines *kept_lines(struct kept *k)
{
	struct load *l = &k->view->load;
	if (k->has_lines)
		return &k->lines;
	k->has_lines = true;
	bool *all = memory_zeroed(l->zones.count, sizeof *all);
	memset(all, true, l->zones.count * sizeof *all);
	places_find(&l->places, &l->zones);
	lines_make(&k->lines, k->view->tree, &l->zones, &l->places, all);
	free(all);
	return &k->lines;
}

const struct source_text *kept_source(struct kept *k, uint32_t file)
{
	const struct options *o = k->view->options;
	if (k->source_file == file)
		return &k->source;
	if (k->source_file)
		source_text_free(&k->source);
	struct source_place place =
	    load_source(&k->view->load, file, o->source_paths, o->source_path_count);
	source_text_find(&k->source, &place);
	k->source_file = file;
	return &k->source;
}

const char *kept_head(struct kept *k)
{
	if (!k->head)
		k->head = view_head_text(k->view, &k->derived);
	return k->head;
}

char *kept_head_line(struct kept *k, size_t line)
{
	const char *at = kept_head(k);
	for (; line && at; line--) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return at && *at != '\n' && *at ? memory_text(at, strcspn(at, "\n")) : NULL;
}

void kept_forget(struct kept *k)
{
	if (!k->made)
		return;
	derive_free(&k->derived);
	if (k->has_contexts) {
		tree_children_free(&k->children);
		free(k->totals);
	}
	if (k->has_callers)
		callers_free(&k->callers);
	if (k->has_lines)
		lines_free(&k->lines);
	if (k->source_file)
		source_text_free(&k->source);
	free(k->head);
	tree_free(&k->view->filtered);
	zones_forget_levels(&k->view->load.zones, k->zones);
	*k = (struct kept){0};
}
