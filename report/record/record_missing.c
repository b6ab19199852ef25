/* SPDX-License-Identifier: MIT */
/*
 * record_missing.c - see record_missing.h.
 *
 * When a process ends by exit(), the library reads its last notes, so no time is missing. After
 * `zprof detach`, no time is wanted. In all other cases, a profile lacks the time after the latest
 * look at each thread's notes, and the time of threads that never called a hook:
 *
 *     CPU time   the kernel's count for the process, less the count at the latest looks: looked_ns
 *                of the threads, and others_cpu_ns
 *     waits      from the latest moment in the profile to the end, less the missing CPU time, and
 *                less the time that the first thread was ready to run while others had the
 *                processor. (The kernel counts that time for the thread's whole life only; so waits
 *                are never overstated.)
 *
 * Some time is always missing, even if hooks were called to the very end, and is not reported:
 *
 *     - A hook looks at notes only if there are new ones. New notes come once a period of CPU time,
 *       at the latest after a period and a half (samples.c, longest()), or with a timer after 32
 *       periods. Each thread may lack this much, also one that ended before the process: the time
 *       after a thread's last sample is in no number.
 *     - The end itself takes time: the kernel frees the memory, page by page, in a good tenth of a
 *       microsecond each. Five times as much is allowed for, and a millisecond for the rest.
 *     - A machine around this one may stop it meanwhile, which looks like a wait: a tenth of a
 *       second is allowed for.
 *
 * If a core dump was written as the process ended, which takes any time, nothing can be said. If no
 * samples were taken, or not of all threads, nothing can be said of CPU time. If a timer takes
 * samples and only calls are counted, the profile knows of no waits at all.
 */
#define _GNU_SOURCE
#include "report/record/record_missing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/disk/file_kind.h"
#include "report/core/read/profile_read.h"
#include "report/core/read/profile_write.h"

#define PAGE_BYTES   4096
#define FREE_PAGE_NS 500
#define END_NS       1e6
#define STOPPED_NS   1e8

/* The facts that one profile holds about its process. */
struct account {
	const char *path;
	struct zprof_header header;
	bool live;
	bool detached;   /* its last recording had ended before the process did */
	bool whole;      /* its file is not cut short */
	bool replaced;   /* by an exec of a program whose profile is there too */
	char name[17];   /* of its first thread */
	double until_ns; /* the latest moment in the profile, CLOCK_MONOTONIC */
	bool sampled;    /* all its threads were sampled, and cpu_ns is known */
	bool tells_waits;
	double cpu_ns; /* until the latest looks at notes */
	double threads;
};

struct accounts {
	struct account *list;
	size_t count;
};

/* The name of the process's first thread, or of the program's file if that thread called no
 * hook. */
static void take_name(struct account *a, const struct profile *p)
{
	const char *slash = p->exe ? strrchr(p->exe, '/') : NULL;
	if (slash)
		strncpy(a->name, slash + 1, 15);
	for (size_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].tid == p->header.pid)
			memcpy(a->name, p->threads[i].name, sizeof p->threads[i].name);
}

static struct account account_of(const struct profile *p, const char *path)
{
	const struct zprof_header *h = &p->header;
	struct account a = {.path = path,
			    .header = *h,
			    .live = file_is_live(path, h),
			    .detached = p->recording_count &&
					p->recordings[p->recording_count - 1].ended_ns,
			    .whole = p->file_bytes >= h->mapped_bytes,
			    .until_ns = (double)h->start_ns + profile_elapsed_ns(p),
			    .cpu_ns = (double)h->others_cpu_ns};
	for (size_t i = 0; i < p->thread_count; i++) {
		const struct zprof_thread *t = &p->threads[i];
		a.cpu_ns += (double)t->looked_ns;
		a.threads += t->count;
		a.sampled = a.sampled || t->looked_ns;
	}
	take_name(&a, p);
	a.tells_waits = h->mode == ZPROF_MODE_EXACT || h->sampler == ZPROF_SAMPLER_KERNEL ||
			h->sampler == ZPROF_SAMPLER_USER;
	a.sampled =
	    a.sampled && h->sampler != ZPROF_SAMPLER_NONE && !h->counters[ZPROF_LOSS_SAMPLERS];
	return a;
}

static void find_replaced(struct accounts *all)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < all->count; k++) {
			const struct zprof_header *a = &all->list[i].header;
			const struct zprof_header *b = &all->list[k].header;
			if (a->pid == b->pid && a->start_ns < b->start_ns)
				all->list[i].replaced = true;
		}
}

static struct accounts find_accounts(const struct find_files *files)
{
	struct accounts all = {memory_zeroed(files->count, sizeof *all.list), 0};
	for (size_t i = 0; i < files->count; i++) {
		struct profile p;
		struct str err = {0};
		if (profile_load(&p, files->paths[i], true, &err)) {
			if (p.header.clock != ZPROF_CLOCK_FAKE)
				all.list[all.count++] = account_of(&p, files->paths[i]);
			profile_free(&p);
		}
		str_free(&err);
	}
	find_replaced(&all);
	return all;
}

/* The CPU time that a profile may lack even if hooks were called to the end. */
static double allowed_ns(const struct account *a, const struct record_end *end)
{
	double period = a->header.sample_period_ns;
	double longest = a->header.sampler == ZPROF_SAMPLER_TIMER ? 32 * period : 1.5 * period;
	double memory = (double)(end->peak_bytes / PAGE_BYTES * FREE_PAGE_NS);
	return a->threads * longest + memory + END_NS;
}

/* ---- the program */

/* The program's profile, if there is one. If the process became another program by exec, its name
 * differs, and the kernel's counts are not of the first program alone. */
static const struct account *account_of_program(const struct accounts *all,
						const struct record_end *end)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct account *a = &all->list[i];
		if ((pid_t)a->header.pid == end->pid && !a->replaced && !strcmp(a->name, end->name))
			return a;
	}
	return NULL;
}

static void add_signal(struct str *to, int status)
{
	str_add(to, "signal %d (%s) ended the program", WTERMSIG(status),
		strsignal(WTERMSIG(status)));
}

/*
 * Says what a shell would say if it had started the program itself. A shell says nothing of a program
 * that a user stopped, or whose reader went away.
 */
static void say_crash(int status)
{
	struct str text = {0};
	if (!WIFSIGNALED(status) || WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGPIPE)
		return;
	add_signal(&text, status);
	say("%s%s", text.text, WCOREDUMP(status) ? "; it left a core dump" : "");
	str_free(&text);
}

static void add_program(struct str *to, const struct account *a, const struct record_end *end)
{
	char text[UNITS_TEXT], of[UNITS_TEXT];
	double since = (double)end->ended_ns - a->until_ns;
	double cpu = a->sampled ? (double)end->cpu_ns - a->cpu_ns : 0;
	double waited = since - (cpu > 0 ? cpu : 0) - (double)end->queued_ns;
	double allowed = allowed_ns(a, end);
	if (cpu <= allowed && (!a->tells_waits || waited <= allowed + STOPPED_NS))
		return;
	if (WIFSIGNALED(end->status))
		add_signal(to, end->status);
	else
		str_add(to, "the program ended without exit()");
	str_add(to, ": no time is known of its last %s", units_time(text, since, false));
	if (a->sampled)
		str_add(to, ", and %s of its %s of CPU time are in no number",
			units_time(text, cpu, false), units_time(of, (double)end->cpu_ns, false));
}

/* ---- further processes */

/*
 * Adds the missing time of further processes. They cannot be waited for here: they are the
 * program's children, and only the program may know how they ended. Their CPU time is known only as
 * a sum, which includes programs that were not recorded.
 */
static void add_further(struct str *to, const struct accounts *all, const struct account *program,
			const struct record_end *end)
{
	char count[UNITS_TEXT], text[UNITS_TEXT];
	double cpu = (double)end->children_ns, allowed = 0;
	size_t early = 0;
	for (size_t i = 0; i < all->count; i++) {
		const struct account *a = &all->list[i];
		if (a == program || a->live || a->replaced || (pid_t)a->header.pid == end->pid)
			continue;
		if (!a->sampled)
			return;
		cpu -= a->cpu_ns;
		allowed += allowed_ns(a, end);
		early += !(a->header.flags & ZPROF_FINISHED);
	}
	if (!early || cpu <= allowed)
		return;
	str_add(
	    to,
	    "%s further process%s killed, ended by _exit() or became another program (exec): no "
	    "time is known after that, and up to %s of CPU time are in no number",
	    units_count(count, early), early == 1 ? " was" : "es were",
	    units_time(text, cpu, false));
}

/* ---- notes */

static void add_record(struct profile_records *to, const struct str *note)
{
	struct zprof_text head = {.kind = ZPROF_TEXT_NOTE, .text_bytes = (uint32_t)note->used};
	if (note->used)
		profile_records_add(to, ZPROF_SECTION_TEXT, &head,
				    (const void *const[]){note->text});
}

/* The profile that gets the notes: the program's, or else another of the run that no process
 * writes; NULL: there is none. */
static const struct account *place_of_notes(const struct accounts *all,
					    const struct account *program)
{
	for (size_t i = 0; !program && i < all->count; i++)
		if (!all->list[i].live)
			program = &all->list[i];
	return program && program->whole ? program : NULL;
}

/* Adds notes to the end of profile A, whose process has ended. SEEN: we saw the program's end,
 * which was not by exit(). */
static void write_notes(const struct account *a, const struct str *program,
			const struct str *further, bool seen)
{
	struct profile_writer w;
	struct profile_records records = {0};
	struct zprof_header header = a->header;
	struct str err = {0};
	uint64_t end = (header.mapped_bytes + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
	add_record(&records, program);
	add_record(&records, further);
	header.flags |= seen ? ZPROF_END_SEEN : 0;
	if ((records.used || seen) && profile_write_add_to(&w, a->path, a->path, end, &err)) {
		profile_write_section(&w, ZPROF_SECTION_TEXT, records.bytes, records.used);
		profile_write_end(&w, &header, &err);
	}
	profile_records_free(&records);
	str_free(&err);
}

void record_missing(const struct find_files *files, const struct record_end *end, bool quiet)
{
	struct accounts all = find_accounts(files);
	const struct account *program = account_of_program(&all, end);
	const struct account *place = place_of_notes(&all, program);
	struct str lost = {0}, further = {0};
	bool finished = program && program->header.flags & ZPROF_FINISHED;
	bool seen =
	    program && !finished && !program->detached && end->ended_ns && !WCOREDUMP(end->status);
	if (seen)
		add_program(&lost, program, end);
	if (end->ended_ns)
		add_further(&further, &all, program, end);
	if (place)
		write_notes(place, &lost, &further, seen);
	if (lost.used && !quiet)
		say("%s", lost.text);
	else if (!quiet)
		say_crash(end->status);
	if (further.used && !quiet)
		say("%s", further.text);
	str_free(&lost);
	str_free(&further);
	free(all.list);
}
