/* SPDX-License-Identifier: MIT */
/* follow.c - see follow.h. */
#include "report/top/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/process/processes.h"
#include "report/core/disk/process_state.h"
#include "report/core/read/profile_since.h"

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool parse(const struct follow *f, struct profile *p, struct str *err)
{
	return profile_parse(p, f->collect.path, f->collect.copy, f->collect.bytes, err);
}

/* Whether the process still records. Called before the file is read, so if the process has died,
 * the reading holds all that the process wrote. */
static enum follow_state look(const struct follow *f)
{
	const struct zprof_header *h = &f->last.header;
	if (h->flags & (ZPROF_FINISHED | ZPROF_MERGED | ZPROF_SNAPSHOT))
		return FOLLOW_ENDED;
	if (f->here && processes_maps((pid_t)h->pid, f->collect.path))
		return FOLLOW_RUNS;
	return FOLLOW_KILLED;
}

static void load_one(struct follow *f, const struct profile *p)
{
	load_begin_again(&f->view.load);
	load_profile(&f->view.load, p);
}

static void sum_interval(struct follow *f, double seconds)
{
	const struct tree *t = &f->view.load.tree;
	struct follow_interval *i = &f->interval;
	*i = (struct follow_interval){.seconds = seconds,
				      .hook_ns = load_hook_ns(&f->view.load),
				      .calls = load_calls(&f->view.load)};
	for (size_t k = 0; k < t->count; k++) {
		i->cpu_ns += t->nodes[k].self.cpu_ns;
		i->wait_ns += t->nodes[k].self.wait_ns;
		i->preempted_ns += t->nodes[k].self.preempted_ns;
	}
}

static uint64_t turns_of(const struct profile *p, const char *name)
{
	uint64_t count = 0;
	for (size_t i = 0; i < p->turns_count; i++)
		if (!strcmp(p->turns[i].name, name))
			count += p->turns[i].count;
	return count;
}

/* Adds the events since the reading before. */
static bool add_interval(struct follow *f, double seconds, struct str *err)
{
	struct profile p;
	if (!parse(f, &p, err))
		return false;
	double units = seconds;
	if (f->turns)
		units = (double)(turns_of(&p, f->turns) - turns_of(&f->last, f->turns));
	profile_since(&p, &f->last);
	load_one(f, &p);
	profile_free(&p);
	sum_interval(f, seconds);
	if (units > 0)
		contexts_add_interval(&f->contexts, &f->view.load.tree, units);
	return true;
}

/* Sets MEASURE_ALL: the events since the base, or all. These stay loaded in view.load. */
static bool set_all(struct follow *f, struct str *err)
{
	struct profile p;
	if (!parse(f, &p, err))
		return false;
	if (f->base.path)
		profile_since(&p, &f->base);
	load_one(f, &p);
	profile_free(&p);
	contexts_set_all(&f->contexts, &f->view.load.tree);
	return true;
}

static bool read_again(struct follow *f, bool skip, struct str *err)
{
	uint64_t before = f->read_ns;
	struct profile now;
	if (!collect_take(&f->collect, err) || !parse(f, &now, err))
		return false;
	f->read_ns = clock_ns(CLOCK_MONOTONIC);
	bool ok = !f->readings || skip || add_interval(f, (double)(f->read_ns - before) / 1e9, err);
	profile_free(&f->last);
	f->last = now;
	f->readings++;
	frame_list_make(&f->frames, &f->last, f->collect.copy, f->collect.bytes,
			&f->view.load.zones);
	return ok && set_all(f, err);
}

bool follow_read(struct follow *f, struct str *err)
{
	enum follow_state state = look(f);
	bool ok = read_again(f, false, err);
	f->state = ok && f->last.header.flags & ZPROF_FINISHED ? FOLLOW_ENDED : state;
	return ok;
}

bool follow_from_start(struct follow *f, struct str *err)
{
	struct profile now = f->last;
	double units = f->turns ? (double)turns_of(&now, f->turns) : 0;
	if (units > 0) {
		load_one(f, &now);
		sum_interval(f, 0);
		contexts_add_interval(&f->contexts, &f->view.load.tree, units);
	}
	return set_all(f, err);
}

bool follow_skip(struct follow *f, struct str *err)
{
	return read_again(f, true, err);
}

bool follow_open(struct follow *f, struct options *o, const char *path, struct str *err)
{
	*f = (struct follow){.view = {.options = o}};
	if (!collect_open(&f->collect, path, o->force, err))
		return false;
	if (!groups_load(&f->view.groups, o->groups_path, o->force, err)) {
		collect_close(&f->collect);
		return false;
	}
	load_init(&f->view.load, o->raw);
	if (!read_again(f, false, err)) {
		follow_close(f);
		return false;
	}
	f->here = process_state_is_here(f->last.host);
	f->state = look(f);
	f->view.fake = load_is_fake(&f->view.load);
	f->view.counts_only = load_counts_only(&f->view.load);
	f->view.knows_waits = load_all_know_waits(&f->view.load);
	if (view_choose_measure(&f->view, err) && view_find_counter(&f->view, err))
		return true;
	follow_close(f);
	return false;
}

/* Reads the file of the one profile that is loaded, for its frames. A profile that was cut down when
 * it was loaded has none: a frame would show what was cut off. */
static void find_frames(struct follow *f)
{
	const struct options *o = f->view.options;
	const struct load *l = &f->view.load;
	struct str err = {0};
	if (l->process_count != 1 || f->view.piece || o->since || o->filters.recording)
		return;
	if (collect_open(&f->collect, l->processes[0].path, o->force, &err) &&
	    collect_take(&f->collect, &err) && parse(f, &f->last, &err))
		frame_list_make(&f->frames, &f->last, f->collect.copy, f->collect.bytes,
				&f->view.load.zones);
	str_free(&err);
}

bool follow_finished(struct follow *f, struct options *o, struct str *err)
{
	*f = (struct follow){.finished = true, .state = FOLLOW_ENDED, .collect = {.fd = -1}};
	o->no_pager = true;
	if (!view_open(&f->view, o, err))
		return false;
	f->view.terminal.width = 0; /* lines are cut where they are shown */
	find_frames(f);
	return true;
}

struct tree *follow_tree(struct follow *f, enum measure measure)
{
	if (f->finished && measure != MEASURE_FRAME)
		return &f->view.load.tree;
	contexts_show(&f->contexts, measure);
	return &f->contexts.tree;
}

bool follow_frame(struct follow *f, const struct loader_piece *frame, struct str *err)
{
	struct profile p;
	struct loader_piece shown = *frame;
	if (!parse(f, &p, err))
		return false;
	bool ok = frame->by->keep_piece(&p, frame, f->collect.copy, f->collect.bytes);
	if (ok) {
		/* A frame has too few samples to know what the hooks took. */
		bool raw = f->view.load.raw;
		f->view.load.raw = true;
		load_one(f, &p);
		f->view.load.raw = raw;
		contexts_set_frame(&f->contexts, &f->view.load.tree);
		shown.kind = memory_text(frame->kind, strlen(frame->kind));
		free(f->shown.kind);
		f->shown = shown;
		ok = set_all(f, err);
	} else {
		str_fail(err, "frame %llu is no longer kept", (unsigned long long)frame->number);
	}
	profile_free(&p);
	return ok;
}

void follow_reset(struct follow *f)
{
	struct str err = {0};
	struct profile p;
	if (parse(f, &p, &err)) {
		profile_free(&f->base);
		f->base = p;
		f->base_realtime_ns = clock_ns(CLOCK_REALTIME);
		contexts_forget_averages(&f->contexts);
		set_all(f, &err);
	}
	str_free(&err);
}

bool follow_set_base(struct follow *f, const char *path, struct str *err)
{
	struct profile p;
	struct stat st;
	if (!profile_load(&p, path, f->view.options->force, err))
		return false;
	if (!profile_since_check(&f->last, &p, err)) {
		profile_free(&p);
		return false;
	}
	profile_free(&f->base);
	f->base = p;
	f->base_realtime_ns = stat(path, &st) ? 1
					      : (uint64_t)st.st_mtim.tv_sec * 1000000000u +
						    (uint64_t)st.st_mtim.tv_nsec;
	return set_all(f, err);
}

bool follow_save(const struct follow *f, const char *path, struct str *err)
{
	return collect_save(&f->collect, path, err);
}

void follow_close(struct follow *f)
{
	profile_free(&f->last);
	profile_free(&f->base);
	frame_list_free(&f->frames);
	free(f->shown.kind);
	contexts_free(&f->contexts);
	collect_close(&f->collect);
	view_close(&f->view);
	*f = (struct follow){0};
}
