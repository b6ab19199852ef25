/* SPDX-License-Identifier: MIT */
/*
 * site_table.h - the sites of the process. They are found when its modules are searched (scan.h),
 * and kept in sections of the profile, where zprof finds them, too, and can switch them from
 * outside.
 *
 * Each module is searched once, under the lock of the switch that wants to know its sites
 * (sites.h). Sites are added and never removed; the sites of a module that has been unloaded are
 * marked instead.
 */
#ifndef ZPROF_SITE_TABLE_H
#define ZPROF_SITE_TABLE_H

#include "preload/format.h"
#include "preload/sites/scan.h"

#include <stdbool.h>
#include <stdint.h>

#define SITE_TABLE_SECTIONS 17 /* a million sites */

struct module;
struct process;

struct site_table {
	uint32_t modules; /* modules that have been searched */
	uint32_t count;   /* number of sites */
	struct zprof_section *sections[SITE_TABLE_SECTIONS];
};

/*
 * Searches the modules that are new, and adds their sites. A site for which there is no room stays
 * on.
 */
void site_table_fill(struct process *p);

/*
 * The module's image, and the slots by which it calls hooks of this library. False: it calls none, or it is
 * this library. No dlclose may come meanwhile.
 */
bool site_table_hooks(const struct process *p, const struct module *m, struct scan_image *image,
		      struct scan_hooks *hooks);

/* The site with number `i`, which must be below `count`. */
struct zprof_site *site_table_at(const struct site_table *table, uint32_t i);

/* Whether any module, searched or not, has been put to sleep in its file. */
bool site_table_any_sleeps(const struct process *p);

#endif
