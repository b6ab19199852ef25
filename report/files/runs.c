/* SPDX-License-Identifier: MIT */
/* runs.c - see runs.h. */
#define _GNU_SOURCE
#include "report/files/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/core/base/lookup.h"
#include "report/core/base/memory.h"
#include "report/core/base/progress.h"
#include "report/core/disk/file_kind.h"
#include "report/core/disk/process_state.h"
#include "report/core/read/profile_read.h"

/* The runs so far, by run id, and their processes. */
struct listing {
	struct runs *runs;
	struct lookup by_id;
	struct file_process *processes;
	size_t process_count, process_room;
	struct lookup by_process;
};

static bool same_id(const void *context, uint32_t item, const void *key)
{
	const struct runs *r = context;
	return !memcmp(r->list[item].id, key, sizeof r->list[item].id);
}

static char *command_of(const struct profile *p)
{
	if (p->part_count)
		return memory_text(p->parts[0].command, strlen(p->parts[0].command));
	return profile_command(p, false);
}

static bool same_process(const void *context, uint32_t item, const void *key)
{
	const struct file_process *list = context;
	return file_same_process(&list[item], key);
}

/* Whether an earlier file was of the same process. */
static bool is_known(struct listing *l, const struct zprof_header *h)
{
	struct file_process p = file_process_of(h);
	uint64_t hash = file_process_hash(&p);
	if (!file_is_known(&p))
		return false;
	if (lookup_find(&l->by_process, hash, same_process, l->processes, &p) != LOOKUP_NONE)
		return true;
	lookup_add(&l->by_process, hash, (uint32_t)l->process_count);
	*memory_next(l->processes, l->process_count, l->process_room) = p;
	return false;
}

/* When the process ended, as far as its profile tells. While it runs: when the file was last written. */
static uint64_t end_of(const struct profile *p, const struct stat *st)
{
	const struct zprof_header *h = &p->header;
	uint64_t written =
	    (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec;
	if (process_state_runs(process_state_of(p)) && written > h->start_realtime_ns)
		return written;
	return h->start_realtime_ns + (uint64_t)profile_elapsed_ns(p);
}

static struct run *find_run(struct listing *l, const struct profile *p)
{
	static const uint8_t none[16];
	struct runs *r = l->runs;
	uint64_t half[2];
	memcpy(half, p->header.run_id, sizeof half);
	uint64_t hash = lookup_hash(half[0], half[1]);
	bool known = memcmp(p->header.run_id, none, sizeof none) != 0;
	uint32_t item =
	    known ? lookup_find(&l->by_id, hash, same_id, r, p->header.run_id) : LOOKUP_NONE;
	if (item != LOOKUP_NONE)
		return &r->list[item];
	r->list = memory_room(r->list, r->count, &r->room, sizeof *r->list);
	struct run *new = &r->list[r->count];
	*new = (struct run){.start_ns = UINT64_MAX};
	memcpy(new->id, p->header.run_id, sizeof new->id);
	if (known)
		lookup_add(&l->by_id, hash, (uint32_t)r->count);
	r->count++;
	return new;
}

static void add_merged(struct run *run, const struct profile *p)
{
	run->merged_runs = 0;
	for (size_t i = 0; i < p->part_count; i++) {
		const struct zprof_part *f = &p->parts[i].fixed;
		run->processes += f->processes;
		run->merged_runs = f->runs > run->merged_runs ? f->runs : run->merged_runs;
		run->elapsed_ns = f->elapsed_ns > run->elapsed_ns ? f->elapsed_ns : run->elapsed_ns;
	}
}

static void add_file(struct listing *l, size_t file, const struct profile *p, const struct stat *st)
{
	struct run *run = find_run(l, p);
	uint64_t start = p->header.start_realtime_ns, end = end_of(p, st);
	uint64_t last = run->file_count ? run->start_ns + run->elapsed_ns : 0;
	*memory_next(run->files, run->file_count, run->file_room) = file;
	run->bytes += (uint64_t)st->st_blocks * 512;
	run->running += process_state_runs(process_state_of(p));
	run->unrecorded += process_state_of(p) == PROCESS_NOT_RECORDED;
	bool is_own = file_kind_of(&p->header) == FILE_RECORDED;
	if (start < run->start_ns || (start == run->start_ns && is_own && run->of_copy)) {
		run->of_copy = !is_own;
		free(run->command);
		free(run->path);
		run->command = command_of(p);
		run->path = memory_text(p->path, strlen(p->path));
		run->pid = p->header.pid;
		run->start_ns = start;
	}
	if (p->part_count) {
		add_merged(run, p);
		return;
	}
	if (is_known(l, &p->header))
		run->copies++;
	else
		run->processes++;
	last = end > last ? end : last;
	run->elapsed_ns = last > run->start_ns ? last - run->start_ns : 0;
}

static int by_start(const void *left, const void *right)
{
	const struct run *a = left, *b = right;
	return memory_order(a->start_ns, b->start_ns) ?: strverscmp(a->path, b->path);
}

static bool load(struct profile *p, struct stat *st, const char *path, bool anyone, struct str *err)
{
	if (stat(path, st))
		return str_fail(err, "cannot open '%s': %s", path, strerror(errno));
	return profile_load_texts(p, path, anyone, err);
}

void runs_make(struct runs *r, const struct find_files *files, bool anyone, struct str *warnings)
{
	struct listing l = {.runs = r};
	struct str err = {0};
	*r = (struct runs){.paths = files->paths, .path_count = files->count};
	for (size_t i = 0; i < files->count; i++) {
		struct profile p;
		struct stat st;
		if (!load(&p, &st, files->paths[i], anyone, &err)) {
			str_add(warnings, "%s\n", str_text(&err));
			str_clear(&err);
			continue;
		}
		add_file(&l, i, &p, &st);
		profile_free(&p);
		progress_step("reading profiles", i + 1, files->count);
	}
	memory_sort(r->list, r->count, by_start);
	lookup_free(&l.by_id);
	lookup_free(&l.by_process);
	free(l.processes);
	str_free(&err);
	progress_end();
}

void runs_free(struct runs *r)
{
	for (size_t i = 0; i < r->count; i++) {
		free(r->list[i].command);
		free(r->list[i].path);
		free(r->list[i].files);
	}
	free(r->list);
	*r = (struct runs){0};
}
