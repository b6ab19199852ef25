/* SPDX-License-Identifier: MIT */
/* told.c - see told.h. */
#define _GNU_SOURCE
#include "report/core/names/told.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

static char *copy(const char *text)
{
	return memory_text(text, strlen(text));
}

/* ---- names */

static bool same_start(const void *context, uint32_t item, const void *key)
{
	const struct told *t = context;
	const struct told_name *a = &t->names[item], *b = key;
	return a->module == b->module && a->start == b->start;
}

void told_add_name(struct told *t, uint32_t module, const struct profile_name *name)
{
	struct told_name new = {.module = module, .start = name->fixed.start};
	uint64_t hash = lookup_hash(new.start, module);
	if (lookup_find(&t->by_start, hash, same_start, t, &new) != LOOKUP_NONE)
		return;
	new.size = name->fixed.size;
	new.code = name->fixed.code;
	new.line = name->fixed.line;
	new.last_line = name->fixed.last_line;
	new.name = copy(name->name);
	new.linkage = copy(name->linkage);
	new.file = copy(name->file);
	new.compiler = copy(name->compiler);
	t->names = memory_room(t->names, t->name_count, &t->name_room, sizeof *t->names);
	lookup_add(&t->by_start, hash, (uint32_t)t->name_count);
	t->names[t->name_count++] = new;
}

static int by_start(const void *left, const void *right, void *context)
{
	const struct told_name *names = context, *a = &names[*(const uint32_t *)left],
			       *b = &names[*(const uint32_t *)right];
	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return (a->start > b->start) - (a->start < b->start);
}

static void order_names(struct told *t)
{
	if (t->ordered == t->name_count)
		return;
	t->order = memory_resize(t->order, t->name_count, sizeof *t->order);
	for (; t->ordered < t->name_count; t->ordered++)
		t->order[t->ordered] = (uint32_t)t->ordered;
	qsort_r(t->order, t->name_count, sizeof *t->order, by_start, t->names);
}

static int by_place(const void *left, const void *right)
{
	const struct told_refused *a = left, *b = right;
	return memory_order(a->module, b->module) ?: memory_order(a->start, b->start);
}

/* Each process of a run has a record of the same function. */
static void order_refused(struct told *t)
{
	size_t count = 0;
	if (t->refused_ordered == t->refused_count)
		return;
	memory_sort(t->refused, t->refused_count, by_place);
	for (size_t i = 0; i < t->refused_count; i++)
		if (!count || by_place(&t->refused[count - 1], &t->refused[i]) != 0)
			t->refused[count++] = t->refused[i];
	t->refused_count = t->refused_ordered = count;
}

void told_seal(struct told *t)
{
	order_names(t);
	order_refused(t);
}

const struct told_name *told_name_at(const struct told *t, uint32_t module, uint64_t address)
{
	struct told_name key = {.module = module, .start = address};
	uint32_t item =
	    lookup_find(&t->by_start, lookup_hash(address, module), same_start, t, &key);
	if (item != LOOKUP_NONE)
		return &t->names[item];
	size_t low = 0, high = t->name_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct told_name *n = &t->names[t->order[middle]];
		if (n->module < module || (n->module == module && n->start < address))
			low = middle + 1;
		else
			high = middle;
	}
	const struct told_name *before = low ? &t->names[t->order[low - 1]] : NULL;
	bool inside = before && before->module == module && address - before->start < before->size;
	return inside ? before : NULL;
}

/* ---- statements */

static bool same_function(const void *context, uint32_t item, const void *key)
{
	const struct told *t = context;
	const struct told_statements *a = &t->statements[item], *b = key;
	return a->module == b->module && a->start == b->start && !strcmp(a->file, b->file);
}

void told_add_statements(struct told *t, uint32_t module, const struct profile_statements *s)
{
	struct told_statements new = {.module = module, .start = s->fixed.start, .file = s->file};
	uint64_t hash = lookup_hash_text(s->file, lookup_hash(s->fixed.start, module));
	if (lookup_find(&t->by_function, hash, same_function, t, &new) != LOOKUP_NONE)
		return;
	new.file = copy(s->file);
	new.count = s->fixed.count;
	new.list = memory_resize(NULL, s->fixed.count, sizeof *new.list);
	memcpy(new.list, s->list, s->fixed.count * sizeof *new.list);
	t->statements = memory_room(t->statements, t->statements_count, &t->statements_room,
				    sizeof *t->statements);
	lookup_add(&t->by_function, hash, (uint32_t)t->statements_count);
	t->statements[t->statements_count++] = new;
}

/* ---- functions that were refused */

void told_add_refused(struct told *t, const struct told_refused *refused)
{
	*memory_next(t->refused, t->refused_count, t->refused_room) = *refused;
}

bool told_is_refused(const struct told *t, uint32_t module, uint64_t address)
{
	const struct told_refused key = {.module = module, .start = address};
	size_t low = 0, high = t->refused_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (by_place(&t->refused[middle], &key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	const struct told_refused *before = low ? &t->refused[low - 1] : NULL;
	return before && before->module == module && address - before->start < before->bytes;
}

uint64_t told_refused_functions(const struct told *t)
{
	uint64_t count = 0;
	for (size_t i = 0; i < t->refused_count; i++)
		count += !t->refused[i].part;
	return count;
}

/* ---- sources */

const struct profile_source *told_source(const struct told *t, const char *path)
{
	for (size_t i = 0; i < t->source_count; i++)
		if (!strcmp(t->sources[i].path, path))
			return &t->sources[i];
	return NULL;
}

void told_add_source(struct told *t, const struct profile_source *source)
{
	if (told_source(t, source->path))
		return;
	struct profile_source new = *source;
	new.path = copy(source->path);
	new.packed = memory_resize(NULL, source->fixed.packed_bytes, 1);
	memcpy(new.packed, source->packed, source->fixed.packed_bytes);
	t->sources = memory_room(t->sources, t->source_count, &t->source_room, sizeof *t->sources);
	t->sources[t->source_count++] = new;
}

void told_free(struct told *t)
{
	for (size_t i = 0; i < t->name_count; i++) {
		free(t->names[i].name);
		free(t->names[i].linkage);
		free(t->names[i].file);
		free(t->names[i].compiler);
	}
	for (size_t i = 0; i < t->statements_count; i++) {
		free(t->statements[i].file);
		free(t->statements[i].list);
	}
	for (size_t i = 0; i < t->source_count; i++) {
		free(t->sources[i].path);
		free(t->sources[i].packed);
	}
	free(t->names);
	free(t->order);
	free(t->statements);
	free(t->sources);
	free(t->refused);
	lookup_free(&t->by_start);
	lookup_free(&t->by_function);
	*t = (struct told){0};
}
