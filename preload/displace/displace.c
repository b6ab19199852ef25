/* SPDX-License-Identifier: MIT */
/* displace.c - see displace.h. */
#include "preload/displace/displace.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/format.h"
#include "preload/process/process.h"
#include "preload/code/module.h"
#include "preload/code/only.h"
#include "preload/profile/file.h"
#include "preload/sites/patch.h"
#include "preload/sites/site_table.h"
#include "preload/sites/sites.h"
#include "preload/displace/making.h"
#include "preload/displace/plan_file.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#define JUMP 0xe9
#define TRAP 0xcc /* int3 */

/* ---- whether entries may be displaced in this process */

/* The folder /proc/self/task has a folder for each thread. */
static bool has_one_thread(void)
{
	struct stat task;

	return !SYS_FAILED(sys4(SYS_newfstatat, AT_FDCWD, "/proc/self/task", &task, 0)) &&
	       task.st_nlink == 3;
}

#define ARCH_SHSTK_STATUS 0x5005 /* Linux 6.6, arch/x86/include/uapi/asm/prctl.h */

static bool has_shadow_stack(void)
{
	uint64_t features = 0;

	return !SYS_FAILED(sys2(SYS_arch_prctl, ARCH_SHSTK_STATUS, &features)) && features & 1;
}

const char *displace_forbidden(void)
{
	return !has_one_thread()    ? "a thread began before that, in the constructor of a library"
	       : has_shadow_stack() ? "the process has a shadow stack"
				    : NULL;
}

bool displace_leaves_out(const struct module *m)
{
	uintptr_t linker = getauxval(AT_BASE), own = (uintptr_t)&displace_forbidden;

	return !m->ready || m->unloaded || !m->record || !m->eh_frame_hdr ||
	       linker - m->start < m->end - m->start || own - m->start < m->end - m->start ||
	       m->record->path[0] != '/';
}

/* ---- one module */

#define HOOKED 1

struct displacing {
	struct plan_file file;
	struct making making;
	uintptr_t *trampolines; /* by the numbers of windows; 0: the function is left alone; before
				   they are made, HOOKED: it has a hook */
	uint32_t count;
};

static bool mark_hooked(void *context, const struct zprof_site *site)
{
	struct displacing *d = context;
	const struct plan *plan = &d->file.plan;
	uint32_t code = PLAN_NOBODY;

	if (scan_enters(site))
		code = plan_function_at(plan, (uint32_t)(scan_function_of(site) - d->file.base));
	if (code != PLAN_NOBODY && plan->codes[code].window != PLAN_NOBODY)
		d->trampolines[plan->codes[code].window] = HOOKED;
	return true;
}

/* Marks functions that were built with hooks, and would be counted twice. */
static void look_for_hooks(struct displacing *d, const struct process *p, const struct module *m)
{
	struct scan_image image;
	struct scan_hooks hooks;

	if (site_table_hooks(p, m, &image, &hooks))
		scan_sites(&image, &hooks, mark_hooked, d);
}

/* Makes the trampolines of a module's functions, but for those with hooks, and those that only= leaves out. */
static void make(struct displacing *d, const struct process *p, const struct module *m,
		 struct displace_done *done)
{
	struct displaced f;
	uint32_t i;

	for (i = 0; i < d->file.plan.header->windows; i++) {
		bool same = plan_file_function(&d->file, i, &f);
		bool hooked = d->trampolines[i] == HOOKED;

		d->trampolines[i] = 0;
		if (hooked)
			continue;
		if (only_leaves_out(p, m, f.function)) {
			done->left_out++;
			continue;
		}
		if (!same) {
			done->differ++;
			continue;
		}
		d->trampolines[i] = making_add(&d->making, &f);
		if (d->trampolines[i])
			d->count++;
		else
			done->far++;
	}
}

/* Stores the jumps. What is left of a window traps, should a branch lead there. */
static bool store(struct patch *patch, const struct displacing *d)
{
	unsigned char bytes[PLAN_WINDOW_BYTES];
	struct displaced f;
	struct code c;
	uint32_t i;

	for (i = 0; i < d->file.plan.header->windows; i++) {
		if (!d->trampolines[i])
			continue;
		plan_file_function(&d->file, i, &f);
		memset(bytes, TRAP, sizeof(bytes));
		bytes[0] = JUMP;
		c = (struct code){bytes + 1, f.patch + 1, false};
		code_distance(&c, d->trampolines[i], 0);
		if (!patch_bytes(patch, f.patch, bytes, f.window->bytes))
			return false;
	}
	return patch_bytes_end(patch);
}

static void displace(struct displacing *d, const struct process *p, struct module *m,
		     uintptr_t hook, struct patch *patch, struct displace_done *done)
{
	uint32_t n = d->file.plan.header->windows;
	size_t bytes = n * sizeof(*d->trampolines);
	struct area area;

	if (!n)
		return;
	d->trampolines = sys_memory(bytes);
	if (d->trampolines && making_begin(&d->making, m, n, hook, sites_are_asleep(p))) {
		look_for_hooks(d, p, m);
		make(d, p, m, done);
		if (d->count && making_map(&d->making, &area) && areas_add(&area) &&
		    store(patch, d)) {
			m->displaced = true;
			done->modules++;
			done->functions += d->count;
		} else {
			done->far += d->count;
		}
		making_end(&d->making);
	} else {
		done->far += n;
	}
	if (d->trampolines)
		sys_memory_free(d->trampolines, bytes);
}

/* Notes the functions that the plan refuses, and their parts. */
static void note_refused(struct process *p, const struct module *m, const struct plan_file *file,
			 struct displace_done *done)
{
	const struct plan *plan = &file->plan;
	uint32_t i;

	for (i = 0; i < plan->header->codes; i++) {
		const struct plan_code *code = &plan->codes[i];
		bool part = code->owner != i;
		struct zprof_refused *record;

		if (code->owner == PLAN_NOBODY || !plan->codes[code->owner].refusal)
			continue;
		record = file_record(p, &done->noted, ZPROF_SECTION_REFUSED, 0, sizeof(*record));
		if (record) {
			record->address = file->base + code->start;
			record->module = m->id | (part ? ZPROF_REFUSED_PART : 0) << 24;
			cpu_publish();
			record->bytes = code->bytes;
		} else {
			done->not_noted += !part;
		}
	}
}

static void look_at(struct process *p, struct displacing *d, struct module *m, uintptr_t hook,
		    struct patch *patch, struct displace_done *done)
{
	note_refused(p, m, &d->file, done);
	displace(d, p, m, hook, patch, done);
}

void displace_from(struct process *p, uint32_t first, displace_open_plan *open, const void *context,
		   uintptr_t hook, struct displace_done *done)
{
	struct patch *patch = patch_begin(NULL);
	uint64_t signals;
	uint32_t i, n;

	if (!patch)
		return;
	signals = sys_block_signals();
	/* Once more: until now, a handler may have begun a thread. */
	n = displace_forbidden() ? 0 : p->modules->count;
	for (i = first; i < n; i++) {
		struct module *m = &p->modules->table[i];
		struct displacing d = {.count = 0};

		if (displace_leaves_out(m) || m->displaced)
			continue;
		if (open(context, &d.file, m)) {
			look_at(p, &d, m, hook, patch, done);
			plan_file_close(&d.file);
		} else {
			done->without_plan++;
		}
	}
	patch_end(patch);
	sys_restore_signals(signals);
}

static bool open_in_folder(const void *folder, struct plan_file *file, const struct module *m)
{
	return plan_file_open(file, folder, m);
}

void displace_all(struct process *p, const char *folder, uintptr_t hook, struct displace_done *done)
{
	*done = (struct displace_done){0};
	displace_from(p, 0, open_in_folder, folder, hook, done);
}
