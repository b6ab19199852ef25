/* SPDX-License-Identifier: MIT */
/* site_table.c - see site_table.h. */
#include "preload/sites/site_table.h"

#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/code/areas.h"
#include "preload/code/module.h"
#include "preload/sites/module_hooks.h"
#include "preload/sites/scan.h"
#include "preload/sites/sites.h"

/* The size of the first section of the table, and of each section that follows. */
#define FIRST_BYTES ((uint64_t)64 << 10)
#define MORE_BYTES  ((uint64_t)1 << 20)

#define FIRST_SITES ((FIRST_BYTES - sizeof(struct zprof_section)) / sizeof(struct zprof_site))
#define MORE_SITES  ((MORE_BYTES - sizeof(struct zprof_section)) / sizeof(struct zprof_site))

struct zprof_site *site_table_at(const struct site_table *table, uint32_t i)
{
	uint32_t section = 0;

	if (i >= FIRST_SITES) {
		section = 1 + (uint32_t)((i - FIRST_SITES) / MORE_SITES);
		i = (uint32_t)((i - FIRST_SITES) % MORE_SITES);
	}
	return (struct zprof_site *)(table->sections[section] + 1) + i;
}

static struct zprof_section *section_for(struct process *p, uint32_t i)
{
	uint64_t which = i < FIRST_SITES ? 0 : 1 + (i - FIRST_SITES) / MORE_SITES;
	struct zprof_section **sections;

	if (which >= SITE_TABLE_SECTIONS)
		return NULL;
	sections = p->sites->table.sections;
	if (!sections[which])
		sections[which] =
		    file_section(p, ZPROF_SECTION_SITES, 0, which ? MORE_BYTES : FIRST_BYTES);
	return sections[which];
}

struct filling {
	struct process *p;
	const struct module *module;
};

/* Adds a site to the table. A site that finds no room is never switched, and stays on. */
static bool add(void *context, const struct zprof_site *found)
{
	struct filling *f = context;
	struct site_table *table = &f->p->sites->table;
	struct zprof_section *section = section_for(f->p, table->count);
	struct zprof_site *site;

	if (!section)
		return false;
	site = (struct zprof_site *)((char *)section + section->used);
	*site = *found;
	site->module = (uint16_t)f->module->id;
	__atomic_store_n(&section->used, section->used + sizeof(*site), __ATOMIC_RELEASE);
	table->count++;
	return true;
}

/* ---- trampolines (code/areas.h) */

/* Adds a site for each trampoline of an area. The site's module is that of its function. */
static void add_trampolines(struct filling *f, const struct area *area)
{
	uintptr_t function, begin;
	uint32_t i;

	for (i = 0; area_trampoline(area, i, &function, &begin); i++) {
		bool off = *(const unsigned char *)begin == AREA_OFF;
		struct zprof_site site = {.address = begin,
					  .function = (uint32_t)(begin - function),
					  .call = ZPROF_SITE_AREA | ZPROF_SITE_DISPLACED << 4,
					  .state = off ? ZPROF_SITE_CHOSEN | ZPROF_SITE_OFF
						       : ZPROF_SITE_CHOSEN};

		if (!i)
			f->module = module_find(f->p, function);
		if (!f->module || !add(f, &site))
			return;
	}
}

/* ---- modules */

static bool lies_in(const struct scan_image *image, uintptr_t at)
{
	return at - image->start < image->end - image->start;
}

/*
 * Keeps the slots that lead to hooks of this library. Others lead to the program's own hooks, or to
 * libc's empty ones where a library was loaded by itself. A slot that is not bound yet holds an
 * address in its own module. The dynamic linker will bind it to the hook that this library finds by
 * the same name.
 */
static void keep_ours(const struct process *p, const struct scan_image *image,
		      struct scan_hooks *hooks)
{
	const struct module *own = module_find(p, (uintptr_t)&site_table_fill);
	uint32_t i, kept = 0;

	for (i = 0; own && i < hooks->count; i++) {
		uintptr_t bound = *(const uintptr_t *)hooks->slots[i].slot;

		if (lies_in(image, bound))
			bound = p->sites->hooks[hooks->slots[i].hook];
		if (bound - own->start < own->end - own->start)
			hooks->slots[kept++] = hooks->slots[i];
	}
	hooks->count = kept;
}

/* Whether a module calls hooks; this library, which has their addresses, does not. */
static bool calls_hooks(const struct module *m, struct scan_image *image, struct scan_hooks *hooks)
{
	return !m->unloaded && !m->doubtful &&
	       (uintptr_t)&site_table_fill - m->start >= m->end - m->start &&
	       module_hooks(m, image, hooks);
}

bool site_table_hooks(const struct process *p, const struct module *m, struct scan_image *image,
		      struct scan_hooks *hooks)
{
	if (!calls_hooks(m, image, hooks))
		return false;
	keep_ours(p, image, hooks);
	return hooks->count > 0;
}

/*
 * How many modules, counted from the first, are ready (module.h). The first `from` are known to be.
 */
static uint32_t described(const struct process *p, uint32_t from)
{
	uint32_t count = __atomic_load_n(&p->modules->count, __ATOMIC_ACQUIRE);

	while (from < count && __atomic_load_n(&p->modules->table[from].ready, __ATOMIC_ACQUIRE))
		from++;
	return from;
}

void site_table_fill(struct process *p)
{
	struct site_table *table = &p->sites->table;
	uint32_t end;

	module_discover_all(p);
	for (end = described(p, table->modules); table->modules < end; table->modules++) {
		struct filling f = {p, &p->modules->table[table->modules]};
		const struct area *area = area_at(f.module->start);
		struct scan_image image;
		struct scan_hooks hooks;

		if (area)
			add_trampolines(&f, area);
		else if (site_table_hooks(p, f.module, &image, &hooks))
			scan_sites(&image, &hooks, add, &f);
	}
}

bool site_table_any_sleeps(const struct process *p)
{
	uint32_t i, end = described(p, 0);

	for (i = 0; i < end; i++) {
		const struct module *m = &p->modules->table[i];
		struct scan_image image;
		struct scan_hooks hooks;

		if (calls_hooks(m, &image, &hooks) && scan_sleeps(&image, &hooks))
			return true;
	}
	return false;
}
