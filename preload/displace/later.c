/* SPDX-License-Identifier: MIT */
/* later.c - see later.h. */
#include "preload/displace/later.h"

#include "preload/base/sys.h"
#include "preload/format.h"
#include "preload/process/process.h"
#include "preload/code/areas.h"
#include "preload/code/module.h"
#include "preload/code/spawn.h"
#include "preload/displace/ask.h"
#include "preload/displace/plan_file.h"

#include <linux/memfd.h>

/* ---- areas of modules that are gone */

static bool is_dead(const struct process *p, const struct area *area)
{
	return area->module && p->modules->table[area->module - 1].unloaded;
}

static void unmap_dead_areas(struct process *p)
{
	const struct area *area;
	uint32_t i = 0;

	while ((area = area_number(i))) {
		struct area dead = *area;

		if (!is_dead(p, area)) {
			i++;
			continue;
		}
		areas_remove(i);
		sys2(SYS_munmap, dead.start, dead.end - dead.start);
		module_unmapped(p, dead.start);
	}
}

uint32_t later_begin(struct process *p)
{
	uint32_t known = LATER_NEVER;
	uint64_t signals;

	/* A vfork()ed child would displace the parent's entries, whose threads it cannot count. */
	if (sys_forbidden || (uint32_t)sys0(SYS_getpid) != p->header->pid)
		return LATER_NEVER;
	signals = sys_block_signals();
	if (!displace_forbidden()) {
		unmap_dead_areas(p);
		module_read_all(p);
		known = p->modules->count;
	}
	sys_restore_signals(signals);
	return known;
}

/* ---- plans */

#define ANSWERS_MOST 512u

/* What zprof has said of a library, which a program may load and close any number of times. */
struct answer {
	unsigned char build_id[sizeof(((struct zprof_module *)NULL)->build_id)];
	const char
	    *plan; /* the path of the plan; `-`: the library is left as it is; `?`: there is none */
};

static struct answer answers[ANSWERS_MOST];
static uint32_t answer_count;

static const struct answer *answer_of(const struct zprof_module *r)
{
	uint32_t i;

	for (i = 0; i < answer_count; i++)
		if (!memcmp(answers[i].build_id, r->build_id, sizeof(r->build_id)))
			return &answers[i];
	return NULL;
}

/* What zprof is asked. */
struct question {
	const char *folder;
	struct ask ask;
	const struct zprof_module *modules[ASK_MOST];
};

/* Collects the modules that are new, which the folder of the run does not know, and that were never asked about. */
static void collect(struct question *q, const struct process *p, uint32_t known)
{
	uint32_t i;

	for (i = known; i < p->modules->count; i++) {
		const struct module *m = &p->modules->table[i];
		const struct zprof_module *r = m->record;

		if (displace_leaves_out(m) || !r->build_id_bytes || answer_of(r) ||
		    plan_file_answer(q->folder, r->build_id, r->build_id_bytes))
			continue;
		if (answer_count + q->ask.count == ANSWERS_MOST ||
		    !ask_add(&q->ask, r->path, r->path_bytes))
			break;
		q->modules[q->ask.count - 1] = r;
	}
}

/*
 * Keeps the lines of an answer, one for each module. Its memory stays. A handler that loads a library
 * keeps answers, too.
 */
static void keep(const struct question *q, char *line)
{
	uint64_t signals = sys_block_signals();
	char *end;
	uint32_t i;

	for (i = 0; i < q->ask.count && answer_count < ANSWERS_MOST; i++, line = end + 1) {
		struct answer *a = &answers[answer_count];

		for (end = line; *end && *end != '\n'; end++)
			;
		if (!*end)
			break;
		*end = 0;
		memcpy(a->build_id, q->modules[i]->build_id, sizeof(a->build_id));
		a->plan = line;
		answer_count++;
	}
	sys_restore_signals(signals);
}

static void ask(struct question *q, struct process *p)
{
	long out = q->ask.count ? sys2(SYS_memfd_create, "zprof", MFD_CLOEXEC) : -1;
	char *answer = NULL;
	size_t mapped;

	if (SYS_FAILED(out))
		return;
	if (spawn_zprof(p, q->ask.arguments, -1, (int)out))
		answer = spawn_answer((int)out, &mapped);
	sys1(SYS_close, out);
	if (answer)
		keep(q, answer);
}

bool later_leaves(const char *folder, const struct module *m)
{
	const struct zprof_module *r = m->record;
	const struct answer *a = answer_of(r);

	return (a        ? *a->plan
		: folder ? plan_file_answer(folder, r->build_id, r->build_id_bytes)
			 : 0) == '-';
}

static bool open_plan(const void *folder, struct plan_file *file, const struct module *m)
{
	const struct answer *a = answer_of(m->record);

	if (plan_file_open(file, folder, m))
		return true;
	return a && *a->plan == '/' && plan_file_open_at(file, a->plan, m);
}

void later_end(struct process *p, uint32_t known, const char *folder, uintptr_t hook,
	       struct displace_done *done)
{
	struct question q = {.folder = folder};

	if (known == LATER_NEVER || sys_forbidden || displace_forbidden())
		return;
	module_discover_all(p);
	if (p->modules->count == known)
		return;
	if (ask_begin(&q.ask, folder)) {
		collect(&q, p, known);
		ask(&q, p);
		ask_end(&q.ask);
	}
	displace_from(p, known, open_plan, folder, hook, done);
	module_read_all(p);
}
