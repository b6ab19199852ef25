/* SPDX-License-Identifier: MIT */
/* files_model.c - see files_model.h. */
#include "tests/tools/files_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model_file *model_find(struct model *m, const char *name)
{
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->files[i].name, name))
			return &m->files[i];
	return NULL;
}

struct model_file *model_put(struct model *m, const char *name, enum model_kind kind, unsigned run,
			     const struct model_part *parts, size_t count)
{
	struct model_part *copy = calloc(count + 1, sizeof *copy);
	memcpy(copy, parts, count * sizeof *copy);
	model_remove(m, name);
	if (m->count == MODEL_FILES)
		abort();
	struct model_file *f = &m->files[m->count++];
	*f = (struct model_file){.kind = kind, .run = run, .parts = copy, .part_count = count};
	snprintf(f->name, sizeof f->name, "%s", name);
	return f;
}

void model_remove(struct model *m, const char *name)
{
	struct model_file *f = model_find(m, name);
	if (!f)
		return;
	free(f->parts);
	*f = m->files[--m->count];
}

static struct model_part *find_part(struct model_part *parts, size_t count, unsigned process)
{
	for (size_t i = 0; i < count; i++)
		if (parts[i].process == process)
			return &parts[i];
	return NULL;
}

/* First the files of one process each, then the merged ones, none of whose parts may be there. */
bool model_sum(struct model *m, char names[][MODEL_NAME], size_t name_count,
	       struct model_part *parts, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < name_count; i++) {
		const struct model_file *f = model_find(m, names[i]);
		if (f->kind == MERGED)
			continue;
		struct model_part *known = find_part(parts, *count, f->parts->process);
		if (!known)
			parts[(*count)++] = *f->parts;
		else if (f->parts->calls > known->calls)
			*known = *f->parts;
	}
	for (size_t i = 0; i < name_count; i++) {
		const struct model_file *f = model_find(m, names[i]);
		if (f->kind != MERGED)
			continue;
		for (size_t k = 0; k < f->part_count; k++)
			if (find_part(parts, *count, f->parts[k].process))
				return false;
		memcpy(parts + *count, f->parts, f->part_count * sizeof *parts);
		*count += f->part_count;
	}
	return true;
}

unsigned long model_calls(const struct model_part *parts, size_t count)
{
	unsigned long calls = 0;
	for (size_t i = 0; i < count; i++)
		calls += parts[i].calls;
	return calls;
}

bool model_may_write(struct model *m, const char *name, enum model_kind kind,
		     char inputs[][MODEL_NAME], size_t input_count)
{
	const struct model_file *f = model_find(m, name);
	if (!f)
		return true;
	for (size_t i = 0; i < input_count; i++)
		if (!strcmp(inputs[i], name))
			return false;
	return f->kind == kind && !f->live;
}
