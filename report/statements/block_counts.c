/* SPDX-License-Identifier: MIT */
/* block_counts.c - see block_counts.h. */
#include "report/statements/block_counts.h"

#include <stdlib.h>

#include "preload/format.h"
#include "report/core/base/memory.h"
#include "report/core/load/load.h"
#include "report/core/options/options.h"

static int by_address(const void *left, const void *right)
{
	const struct block_count *a = left, *b = right;
	return memory_order(a->module, b->module) ?: memory_order(a->address, b->address);
}

/* Sorts the counters, and adds up those of one block. */
static void sort(struct block_counts *b)
{
	size_t kept = 0;
	memory_sort(b->list, b->count, by_address);
	for (size_t i = 0; i < b->count; i++)
		if (kept && !by_address(&b->list[kept - 1], &b->list[i]))
			b->list[kept - 1].count += b->list[i].count;
		else
			b->list[kept++] = b->list[i];
	b->count = kept;
}

uint64_t block_counts_find(const struct block_counts *b, uint32_t module, uint64_t address)
{
	struct block_count key = {.module = module,
				  .address = address / ZPROF_COUNTS_STEP * ZPROF_COUNTS_STEP};
	const struct block_count *found =
	    b->count ? bsearch(&key, b->list, b->count, sizeof key, by_address) : NULL;
	return found ? found->count : 0;
}

const struct block_counts *block_counts_of(const struct load *l)
{
	static const struct block_counts none;
	const struct block_counts *b = loader_kept(&l->kept, &statements_loader);
	return b ? b : &none;
}

static void add(struct load *l, const struct profile *p, struct zones_of_profile *zones)
{
	struct block_counts *b = loader_keep(&l->kept, &statements_loader, sizeof *b);
	const struct profile_module *module = NULL;
	for (size_t i = 0; i < p->count_count; i++) {
		const struct profile_count *c = &p->counts[i];
		if (!module || module->fixed.id != c->module)
			module = profile_find_module(p, c->module);
		if (!module)
			continue;
		*memory_next(b->list, b->count, b->room) = (struct block_count){
		    zones_module_number(zones, module), c->address - module->fixed.bias, c->count};
	}
	sort(b);
}

static void forget(void *kept)
{
	((struct block_counts *)kept)->count = 0;
}

static void free_list(void *kept)
{
	free(((struct block_counts *)kept)->list);
}

static bool check(const struct load *l, const struct options *o, struct str *err)
{
	return !o->counts || block_counts_of(l)->count ||
	       str_fail(err, "the profile has no counts of statements: compile and link with the "
			     "flags that 'zprof cflags --counts' prints");
}

const struct loader statements_loader = {
    .add = add, .forget = forget, .free = free_list, .check = check};
