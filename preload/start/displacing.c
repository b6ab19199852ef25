/* SPDX-License-Identifier: MIT */
/*
 * displacing.c - displaces the entries of the program's functions, as the program starts, if the
 * option `plans` names a folder that has a plan of the program or of one of its libraries
 * (displace/displace.h). A program without a plan is left as it is, and leaves no profile.
 *
 * Recording begins here, before the first function of the program runs: the hooks then need no
 * state of their own for functions that run before. Libraries that the program loads follow as it does
 * (displace/later.h).
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "preload/start/displacing.h"

#include "preload/base/text.h"
#include "preload/process/environment.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/code/areas.h"
#include "preload/code/image.h"
#include "preload/code/module.h"
#include "preload/sites/module_hooks.h"
#include "preload/displace/displace.h"
#include "preload/displace/later.h"
#include "preload/displace/plan_file.h"
#include "preload/hooks/hooks.h"
#include "preload/start/bare.h"
#include "preload/start/begin.h"
#include "preload/start/followed.h"

#include <link.h>
#include <linux/limits.h>

static int has_plan(struct dl_phdr_info *info, size_t bytes, void *folder)
{
	struct image image;
	int i;

	(void)bytes;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_LOAD && !ph->p_offset &&
		    image_read(&image, info->dlpi_addr + ph->p_vaddr, ph->p_filesz))
			return plan_file_is_there(folder, image.build_id, image.build_id_bytes);
	}
	return 0;
}

bool displacing_has_plan(char *folder)
{
	return dl_iterate_phdr(has_plan, folder) != 0;
}

/* (Functions that were refused have records, and reports count them.) */
static void note_left_alone(struct process *p, const struct displace_done *done)
{
	if (done->not_noted)
		identity_note(p, "functions left alone, which the profile had no room to name: ",
			      done->not_noted);
	if (done->differ)
		identity_note(
		    p, "functions left alone, since they are not as in the file: ", done->differ);
	if (done->far)
		identity_note(p,
			      "functions left alone, because no addresses near them are free, or "
			      "files may not be so large (ulimit -f): ",
			      done->far);
}

static __attribute__((constructor)) void displace_entries(void)
{
	struct displace_done done;
	char folder[PATH_MAX];
	struct process *p;
	const char *why;

	if (process_off || !begin_wanted() || !environment_option("plans=", folder, sizeof(folder)))
		return;
	followed_ask(folder);
	if (!displacing_has_plan(folder))
		return;
	why = displace_forbidden();
	if (why) {
		text_complain("no function without hooks is recorded, as none could be displaced",
			      NULL, 0, why);
		return;
	}
	p = process_begin(NULL);
	if (!p || !p->options->plans)
		return;
	displace_all(p, p->options->plans, (uintptr_t)displaced_enter, &done);
	bare_calls();
	module_read_all(p);
	p->modules->at_start = p->modules->count;
	identity_note(p, "functions recorded without hooks in their code: ", done.functions);
	note_left_alone(p, &done);
}

/* ---- libraries that come later */

static struct displace_done later;
static const struct process *later_of; /* whose libraries these were: a forked child has its own */

/* The process, if functions without hooks are recorded in it. */
static struct process *displacing_process(void)
{
	struct process *p = process_now;

	return p && *p->here && p->options->plans && area_number(0) ? p : NULL;
}

uint32_t displacing_expect(void)
{
	struct process *p = displacing_process();

	return p ? later_begin(p) : LATER_NEVER;
}

void displacing_loaded(uint32_t known)
{
	struct process *p = displacing_process();

	if (!p || known == LATER_NEVER)
		return;
	if (later_of != p)
		later = (struct displace_done){0};
	later_of = p;
	later_end(p, known, p->options->plans, (uintptr_t)displaced_enter, &later);
}

/* Whether a module is a library whose functions are not recorded. */
static bool is_bare_library(const char *folder, const struct module *m)
{
	struct scan_image image;
	struct scan_hooks hooks;

	return !displace_leaves_out(m) && !m->displaced && !area_at(m->start) &&
	       !later_leaves(folder, m) && !(module_hooks(m, &image, &hooks) && hooks.count);
}

static void note_later(struct process *p)
{
	if (later_of != p)
		return;
	if (later.functions)
		identity_note(p,
			      "functions recorded without hooks in their code, of libraries that "
			      "the program loaded, since then: ",
			      later.functions);
	note_left_alone(p, &later);
}

void displacing_finish(struct process *p)
{
	uint64_t bare = 0;
	uint32_t i;

	if (!area_number(0))
		return;
	note_later(p);
	for (i = p->modules->at_start; i < p->modules->count; i++)
		bare += is_bare_library(p->options->plans, &p->modules->table[i]);
	if (bare)
		identity_note(p,
			      "libraries that were loaded when the program had started, so that "
			      "their functions are not recorded: ",
			      bare);
}
