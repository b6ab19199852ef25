/* SPDX-License-Identifier: MIT */
/* annotate.c - see annotate.h: finds functions and lines by file; annotate_print.c prints them. */
#include "report/annotate/annotate.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/names/facts.h"

/* ---- functions */

static int by_place(const void *left, const void *right)
{
	const struct annotate_function *a = left, *b = right;
	return memory_order(a->file, b->file)
		   ?: memory_order(a->line, b->line)
		   ?: memory_order(a->zone, b->zone);
}

/* A function whose end is unknown is taken to go on to the next function. */
static void guess_ends(struct annotate *a)
{
	for (size_t i = 0; i < a->function_count; i++) {
		struct annotate_function *f = &a->functions[i];
		size_t next = i + 1;
		while (next < a->function_count && a->functions[next].file == f->file &&
		       a->functions[next].line == f->line)
			next++;
		if (f->end)
			continue;
		f->end = next < a->function_count && a->functions[next].file == f->file
			     ? a->functions[next].line - 1
			     : f->line;
	}
}

static void find_functions(struct annotate *a)
{
	struct view *v = a->view;
	a->functions = memory_zeroed(a->listing.shown_count, sizeof *a->functions);
	for (size_t i = 0; i < a->listing.shown_count; i++) {
		uint32_t zone = a->listing.shown[i];
		const struct zone *z = &v->load.zones.list[zone];
		uint32_t file = places_file(&v->load.places, z->file);
		if (!file || !z->line)
			continue;
		places_compiled(&v->load.places, file, &v->load.zones, z->module, z->address);
		a->functions[a->function_count++] = (struct annotate_function){
		    zone, file, z->line, facts_last_line(&v->load.zones, z)};
	}
	memory_sort(a->functions, a->function_count, by_place);
	guess_ends(a);
}

/* ---- files */

static struct annotate_file *file_of(struct annotate *a, uint32_t *index_of, uint32_t file)
{
	if (!index_of[file]) {
		a->files[a->file_count].file = file;
		index_of[file] = (uint32_t)++a->file_count;
	}
	return &a->files[index_of[file] - 1];
}

static int by_weight(const void *left, const void *right)
{
	const struct annotate_file *a = left, *b = right;
	return memory_order(b->weight, a->weight) ?: memory_order(a->file, b->file);
}

static void find_files(struct annotate *a)
{
	size_t most = a->view->load.places.file_count;
	uint32_t *index_of = memory_zeroed(most, sizeof *index_of);
	a->files = memory_zeroed(most, sizeof *a->files);
	for (size_t i = 0; i < a->function_count; i++) {
		const struct annotate_function *f = &a->functions[i];
		struct annotate_file *to = file_of(a, index_of, f->file);
		if (!to->function_count++)
			to->first_function = i;
		struct cost self = view_shown(a->view, &a->derived->functions[f->zone].self);
		to->weight += cost_self_weight(&self);
	}
	for (size_t i = 1; i < a->lines.count; i++) {
		if (!a->lines.list[i].shown)
			continue;
		struct annotate_file *to = file_of(a, index_of, a->lines.list[i].file);
		if (!to->line_count)
			to->first_line = i;
		to->line_count = i + 1 - to->first_line;
	}
	memory_sort(a->files, a->file_count, by_weight);
	free(index_of);
}

static bool has_native_calls(const struct annotate *a)
{
	for (size_t i = 0; i < a->listing.shown_count; i++)
		if (!a->view->load.zones.list[a->listing.shown[i]].kind)
			return true;
	return false;
}

void annotate_make(struct annotate *a, struct view *v, const struct derived *d)
{
	*a = (struct annotate){.view = v, .derived = d};
	places_find(&v->load.places, &v->load.zones);
	listing_make(&a->listing, v, d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_TOTAL);
	lines_make(&a->lines, v->tree, &v->load.zones, &v->load.places, a->listing.is_shown);
	find_functions(a);
	find_files(a);
	if (!v->load.calls_by_place && has_native_calls(a))
		say("the profile does not tell from which lines functions were called: record it "
		    "with --callsites; only what functions cost themselves is shown");
	const struct annotate_options *own = v->options->own;
	if (a->listing.shown_count && !a->file_count && !own->instructions)
		say("no file is known for any selected function: compile with -g");
}

void annotate_free(struct annotate *a)
{
	listing_free(&a->listing);
	lines_free(&a->lines);
	free(a->functions);
	free(a->files);
}

const char *annotate_path(const struct annotate *a, const struct annotate_file *f)
{
	return a->view->load.places.files[f->file];
}
