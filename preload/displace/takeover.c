/* SPDX-License-Identifier: MIT */
/* takeover.c - see takeover.h. */
#include "preload/displace/takeover.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/code/module.h"
#include "preload/displace/making.h"
#include "preload/displace/plan_file.h"
#include "preload/process/process.h"
#include "preload/sites/patch.h"

#define JUMP 0xe9
#define TRAP 0xcc /* int3 */

/* Each function has an area of its own, as an area has one place that it jumps to. */
static bool make_area(struct takeover *t, const struct plan_file *file, const struct module *m)
{
	uint32_t offset = (uint32_t)(t->function - file->base), window;
	uint32_t code = plan_find(&file->plan, offset);
	struct displaced d;
	struct making a;
	struct area area;
	bool made;

	if (code == PLAN_NOBODY || file->plan.codes[code].start != offset)
		return false;
	window = file->plan.codes[code].window;
	if (window == PLAN_NOBODY || !plan_file_function(file, window, &d) ||
	    !making_begin(&a, m, 1, t->ours, true))
		return false;
	t->original = making_add(&a, &d);
	t->patch = d.patch;
	t->bytes = d.window->bytes;
	t->entry = a.hook;
	made = t->original && making_map(&a, &area);
	making_end(&a);
	return made;
}

/* What is left of a window traps, should a branch lead there. */
static bool store(struct patch *patch, const struct takeover *t)
{
	unsigned char bytes[PLAN_WINDOW_BYTES];
	struct code c = {bytes + 1, t->patch + 1, false};

	memset(bytes, TRAP, sizeof(bytes));
	bytes[0] = JUMP;
	code_distance(&c, t->entry, 0);
	return !c.too_far && patch_bytes(patch, t->patch, bytes, t->bytes);
}

static bool make_areas(struct takeover *all, size_t count, const char *folder,
		       const struct module *m)
{
	struct plan_file file;
	bool made = true;
	size_t i;

	if (!plan_file_open(&file, folder, m))
		return false;
	for (i = 0; i < count && made; i++)
		made =
		    all[i].function - m->start < m->end - m->start && make_area(&all[i], &file, m);
	plan_file_close(&file);
	for (i = 0; i < count && !made; i++)
		all[i].original = 0;
	return made;
}

bool takeover(struct process *p, const char *folder, struct takeover *all, size_t count)
{
	const struct module *m = module_read_at(p, all[0].function);
	struct patch *patch;
	uint64_t signals;
	bool stored = true;
	size_t i;

	if (!m || !m->record || !m->eh_frame_hdr || !make_areas(all, count, folder, m))
		return false;
	patch = patch_begin(NULL);
	if (!patch)
		return false;
	signals = sys_block_signals();
	for (i = 0; i < count && stored; i++)
		stored = store(patch, &all[i]);
	stored = stored && patch_bytes_end(patch);
	patch_end(patch);
	sys_restore_signals(signals);
	return stored;
}
