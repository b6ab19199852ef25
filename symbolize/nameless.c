/* SPDX-License-Identifier: MIT */
/* See nameless.h. */
#include "symbolize/nameless.h"

#include <stdlib.h>

#include "symbolize/plan/frames.h"

struct nameless_records {
	struct module module;
	struct frames frames;
};

static void load(struct nameless_table *table, const struct image *image)
{
	struct nameless_records *r;

	if (table->loaded)
		return;
	table->loaded = true;
	r = calloc(1, sizeof(*r));
	if (!r)
		return;
	if (module_read(&r->module, image->elf) == PLAN_MODULE_NONE &&
	    frames_read(&r->frames, &r->module)) {
		table->records = r;
		return;
	}
	frames_free(&r->frames);
	free(r);
}

bool nameless_find(struct nameless_table *table, const struct image *image, uint64_t address,
		   struct nameless_function *function)
{
	const struct module_range *section;
	const struct nameless_records *r;
	const struct frames_fde *fde;
	size_t low = 0, high;
	uint32_t offset;

	load(table, image);
	r = table->records;
	if (!r || !module_offset(&r->module, address, &offset))
		return false;
	high = r->frames.fde_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->frames.fdes[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	fde = low ? &r->frames.fdes[low - 1] : NULL;
	section = module_code_at(&r->module, offset);
	if (!fde || offset - fde->start >= fde->bytes || !section || section->stubs)
		return false;
	function->start = r->module.low + fde->start;
	function->size = fde->bytes;
	function->section = r->module.low + section->start;
	return true;
}

void nameless_fini(struct nameless_table *table)
{
	if (table->records)
		frames_free(&table->records->frames);
	free(table->records);
	*table = (struct nameless_table){0};
}
