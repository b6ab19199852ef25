/* SPDX-License-Identifier: MIT */
/* load.c - see load.h: sets of files, one by one. */
#include "report/core/load/load.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/disk/count_once.h"
#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/core/times/estimate.h"
#include "report/core/load/load_parts.h"
#include "report/core/read/owner.h"
#include "report/core/read/profile_since.h"
#include "report/core/read/recordings.h"
#include "report/core/base/progress.h"
#include "report/core/base/visible.h"

void load_init(struct load *l, bool raw)
{
	*l = (struct load){.raw = raw};
	zones_init(&l->zones);
	places_init(&l->places);
}

void load_warn(struct load *l, const char *format, ...)
{
	struct str message = {0};
	va_list list;
	va_start(list, format);
	str_add_list(&message, format, list);
	va_end(list);
	str_add(&l->warnings, "zprof: ");
	visible_add(&l->warnings, str_text(&message));
	str_add(&l->warnings, "\n");
	str_free(&message);
}

static void note_threads(struct load *l)
{
	const struct tree *t = &l->tree;
	int64_t *ticks = tree_thread_ticks(t);
	for (size_t i = 0; i < t->thread_count; i++) {
		*memory_next(l->threads, l->thread_count, l->thread_room) = (struct load_thread){
		    t->threads[i], ticks[i], t->nodes[t->threads[i].root].self.ticks};
	}
	free(ticks);
}

/*
 * Adds the tree, with the processes since the last fold, to the fold. With BY_RUN, each run is a
 * part of its own; the part's number is that of the run's first process in the current set. The
 * first process of the set is FIRST; the processes from FROM on are in the tree now.
 */
static void fold_tree(struct load *l, size_t first, size_t from, bool by_run)
{
	uint32_t *part_of = memory_zeroed(l->process_count, sizeof *part_of);
	for (size_t i = 0; by_run && i < l->process_count; i++) {
		size_t like = i < from ? i : first;
		while (like < i && !load_same_run(&l->processes[like], &l->processes[i]))
			like++;
		part_of[i] = (uint32_t)like;
	}
	note_threads(l);
	fold_add(&l->fold, &l->tree, part_of);
	tree_free(&l->tree);
	free(part_of);
}

/* Makes the fold the tree, if anything was folded. */
static void end_fold(struct load *l, bool by_run)
{
	if (!l->fold.tree.count)
		return;
	if (l->tree.count)
		fold_tree(l, 0, l->process_count, by_run);
	l->tree = l->fold.tree;
	l->fold.tree = (struct tree){0};
	fold_free(&l->fold);
	tree_seal(&l->tree);
}

/* Keeps recording NUMBER of P. False: P does not have it. *MOST becomes the largest number of
 * recordings in a profile so far. */
static bool keep_recording(struct profile *p, uint32_t number, uint32_t *most)
{
	uint32_t count = recordings_of(p);
	*most = count > *most ? count : *most;
	if (number == RECORDINGS_ALL)
		return true;
	if (!recordings_have(p, number))
		return false;
	recordings_keep(p, number);
	return true;
}

/* Says that no file has recording NUMBER. Returns false. */
static bool no_recording(const struct find_files *files, uint32_t number, uint32_t most,
			 struct str *err)
{
	const char *path = files->paths[0], *others = files->count > 1 ? " and others" : "";
	if (!most)
		return str_fail(
		    err, "--recording: '%s' is merged, and does not tell recordings apart", path);
	if (most == 1)
		return str_fail(err, "there is no recording %u: '%s'%s has one, number 1", number,
				path, others);
	return str_fail(err, "there is no recording %u: '%s'%s has recordings 1 to %u", number,
			path, others, most);
}

static bool load_files(struct load *l, const struct find_files *files, const struct load_set *set,
		       unsigned how, struct str *err)
{
	const struct loader_pick *pick = &set->pick;
	size_t first = l->process_count;
	uint32_t most = 0;
	for (size_t i = 0; i < files->count; i++) {
		struct profile p;
		size_t from = l->process_count;
		if (!profile_load(&p, files->paths[i], how & LOAD_ANYONE, err))
			return false;
		bool anyone = how & LOAD_ANYONE;
		if (!keep_recording(&p, set->recording, &most)) {
			profile_free(&p);
			continue;
		}
		bool ok = (!set->since || profile_since_file(&p, set->since, anyone, err)) &&
			  (!pick->by || pick->by->keep_pick(&p, pick->what, anyone, err));
		if (ok)
			load_profile(l, &p);
		profile_free(&p);
		if (!ok)
			return false;
		if (how & (LOAD_FOLD | LOAD_FOLD_RUNS) && files->count > 1)
			fold_tree(l, first, from, how & LOAD_FOLD_RUNS);
		progress_step("reading profiles", i + 1, files->count);
	}
	return l->process_count > first || !set->recording ||
	       no_recording(files, set->recording, most, err);
}

/* Warns if processes had different clocks: their times can be added up, their ticks cannot. */
static void warn_of_mixture(struct load *l)
{
	const struct process *first = &l->processes[0];
	for (size_t i = 1; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		double ratio = p->ns_per_tick / first->ns_per_tick;
		if (p->header.clock == first->header.clock && ratio > 0.99 && ratio < 1.01)
			continue;
		load_warn(
		    l,
		    "'%s' and '%s' were measured by different clocks: their times add up, their "
		    "ticks do not",
		    first->path, p->path);
		return;
	}
}

/* Two profiles of which one has only calls cannot be added up: a function's time per call would be
 * too small by any factor. */
bool load_same_kind(const struct zprof_header *a, const char *a_path, const struct zprof_header *b,
		    const char *b_path, struct str *err)
{
	bool timed = estimate_is_timed(a);
	if (timed == estimate_is_timed(b))
		return true;
	return str_fail(err,
			"cannot add up '%s', which has times, and '%s', which has only calls "
			"(clock=count,sample=0): times would not match calls; name files of one "
			"kind, 'zprof info' says which is which",
			timed ? a_path : b_path, timed ? b_path : a_path);
}

static bool check_mixture(const struct load *l, struct str *err)
{
	const struct process *first = &l->processes[0];
	for (size_t i = 1; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		if (!load_same_kind(&first->header, first->path, &p->header, p->path, err))
			return false;
	}
	return true;
}

/* Names a newer file that was skipped: the user may have meant it. */
static void warn_of_others(struct load *l, const char *path)
{
	struct stat st;
	struct str owner = {0};
	if (!path || stat(path, &st))
		return;
	owner_name(&st, &owner);
	load_warn(l, "'%s' is newer, but belongs to %s and is skipped; --force reads it", path,
		  owner.text);
	str_free(&owner);
}

static void take_left_out(struct load *l, struct find_files *files)
{
	for (size_t i = 0; i < files->left_out_count; i++)
		*memory_next(l->left_out, l->left_out_count, l->left_out_room) = files->left_out[i];
	files->left_out_count = 0;
}

#define LEFT_OUT_SHOWN 3

bool load_left_out_text(const struct load *l, size_t index, struct str *text)
{
	str_clear(text);
	if (index >= l->left_out_count || index > LEFT_OUT_SHOWN)
		return false;
	const struct left_out *f = &l->left_out[index];
	size_t others = l->left_out_count - LEFT_OUT_SHOWN;
	if (index == LEFT_OUT_SHOWN)
		str_add(text, "%s other file%s left out, too, because each process counts once",
			units_count((char[UNITS_TEXT]){0}, others), others == 1 ? " is" : "s are");
	else
		str_add(text,
			"process %u counts once: '%s' is read; '%s' holds no more of it and is "
			"left out",
			f->pid, f->read, f->path);
	return true;
}

static bool load_set(struct load *l, struct load_set *set, unsigned how, struct str *err)
{
	struct find_files files = {0};
	bool anyone = how & LOAD_ANYONE;
	if (!find_files_asked(&files, set->paths, set->count, anyone, how & LOAD_WHOLE_RUN, err))
		return false;
	set->first = l->process_count;
	bool ok = how & LOAD_APART || count_once(&files, anyone, err);
	if (ok && set->pick.by && files.count > 1)
		ok = str_fail(err, "%s is of one profile, and there are %zu: name one",
			      set->pick.by->piece, files.count);
	ok = ok && load_files(l, &files, set, how, err);
	set->end = l->process_count;
	take_left_out(l, &files);
	warn_of_others(l, files.passed_over);
	find_files_free(&files);
	return ok;
}

bool load_sets(struct load *l, struct load_set *sets, size_t count, unsigned how, struct str *err)
{
	bool ok = true;
	load_init(l, how & LOAD_RAW);
	for (size_t i = 0; ok && i < count; i++)
		ok = load_set(l, &sets[i], how, err);
	end_fold(l, how & LOAD_FOLD_RUNS);
	ok = ok && (how & LOAD_APART || check_mixture(l, err));
	if (ok) {
		warn_of_mixture(l);
		load_notice(l);
	} else {
		load_free(l);
	}
	progress_end();
	return ok;
}

struct source_place load_source(const struct load *l, uint32_t file, const char *const *search,
				size_t search_count)
{
	return (struct source_place){l->places.files[file], l->places.folders[file], &l->zones.told,
				     search, search_count};
}

void load_notice(struct load *l)
{
	for (size_t i = 0; i < l->zones.module_count; i++) {
		const struct zone_module *m = &l->zones.modules[i];
		const char *notice = m->asked ? symbolize_notice(m->symbols) : NULL;
		if (notice)
			load_warn(l, "%s", notice);
		else if (m->nameless)
			load_warn(
			    l,
			    "'%s' has no symbols for %s of its functions: it is stripped; put its "
			    "debug file beside it or under /usr/lib/debug",
			    m->path, m->nameless < m->entered ? "some" : "any");
	}
}

void load_forget_tree(struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++)
		load_free_process(&l->processes[i]);
	l->process_count = 0;
	tree_free(&l->tree);
}

void load_begin_again(struct load *l)
{
	load_forget_tree(l);
	limits_free(&l->limits);
	l->limits = (struct limits){0};
	memset(l->counters, 0, sizeof l->counters);
	if (l->hooks_room)
		memset(l->hooks, 0, l->hooks_room * sizeof *l->hooks);
	loader_forget(&l->kept);
	l->calls_by_place = false;
	l->places_by_sample = false;
	str_clear(&l->warnings);
}

void load_free(struct load *l)
{
	load_forget_tree(l);
	fold_free(&l->fold);
	free(l->threads);
	for (size_t i = 0; i < l->column_count; i++)
		free(l->columns[i]);
	for (size_t i = 0; i < l->left_out_count; i++) {
		free(l->left_out[i].path);
		free(l->left_out[i].read);
	}
	free(l->left_out);
	free(l->processes);
	choices_free(&l->choices);
	via_free(&l->vias);
	sites_free(&l->sites);
	places_free(&l->places);
	chains_free(&l->chains);
	free(l->wait_facts.list);
	loader_free(&l->kept);
	free(l->hooks);
	limits_free(&l->limits);
	zones_free(&l->zones);
	str_free(&l->warnings);
	*l = (struct load){0};
}
