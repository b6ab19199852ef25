/* SPDX-License-Identifier: MIT */
/* cmd_merge.c - `zprof merge`: many profiles in one file. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/core/base/memory.h"
#include "report/core/base/progress.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/files/merge.h"
#include "report/core/disk/count_once.h"
#include "report/core/disk/file_rules.h"

/* A file to merge, and its rank; NULL: the file holds several ranks. */
struct input {
	const char *path;
	char *rank;
};

static int by_rank(const void *left, const void *right)
{
	const struct input *a = left, *b = right;
	return strverscmp(a->rank, b->rank) ?: strverscmp(a->path, b->path);
}

static bool read_rank(struct input *in, bool anyone, struct str *err)
{
	struct profile p;
	if (!profile_load_texts(&p, in->path, anyone, err))
		return false;
	const char *rank = p.part_count == 1 ? p.parts[0].rank : p.rank ? p.rank : "";
	if (p.part_count < 2)
		in->rank = memory_text(rank, strlen(rank));
	profile_free(&p);
	return true;
}

/* Sorts the files by rank, so that each rank can be written before the next is read. If one file
 * holds several ranks, the order stays as it is, and all ranks are in memory at once. */
static bool sort_inputs(struct input *inputs, size_t count, bool anyone, bool *sorted,
			struct str *err)
{
	*sorted = true;
	for (size_t i = 0; i < count; i++) {
		if (!read_rank(&inputs[i], anyone, err))
			return false;
		*sorted = *sorted && inputs[i].rank;
		progress_step("looking at profiles", i + 1, count);
	}
	if (*sorted)
		memory_sort(inputs, count, by_rank);
	return true;
}

static bool merge_inputs(struct merge *m, const struct input *inputs, size_t count, bool anyone,
			 bool sorted, struct str *err)
{
	for (size_t i = 0; i < count; i++) {
		if (!merge_add(m, inputs[i].path, anyone, err))
			return false;
		bool last = i + 1 == count || !sorted || !m->by_rank ||
			    strcmp(inputs[i].rank, inputs[i + 1].rank);
		if (last && sorted && m->by_rank && !merge_flush(m, err))
			return false;
		progress_step("merging profiles", i + 1, count);
	}
	return merge_end(m, err);
}

/*
 * Drops an earlier output of this command from the files found in a folder. The output may be there
 * if the command ran before. It is no input if the other files hold all its calls, and the user has
 * not named it as one.
 */
static void leave_out_earlier(const struct options *o, struct find_files *files)
{
	struct file_facts out, in;
	file_look(&out, o->output);
	if (out.kind != FILE_MERGED)
		return;
	for (size_t i = 0; i < o->path_count; i++) {
		file_look(&in, o->paths[i]);
		if (in.device == out.device && in.inode == out.inode)
			return;
	}
	for (size_t i = files->count; i-- > 0;) {
		file_look(&in, files->paths[i]);
		if (in.device == out.device && in.inode == out.inode &&
		    count_once_covers(files, o->output, o->force))
			find_files_drop(files, i);
	}
}

static bool check_files(const struct options *o, struct find_files *files, struct str *err)
{
	leave_out_earlier(o, files);
	if (!file_may_write(&file_output_merged, o->output, files->paths, files->count, o->force,
			    err) ||
	    !count_once(files, o->force, err))
		return false;
	for (size_t i = 0; i < files->left_out_count; i++)
		say("process %u counts once: '%s' is read, '%s' is not", files->left_out[i].pid,
		    files->left_out[i].read, files->left_out[i].path);
	return true;
}

static void print_summary(const struct merge *m, const char *path)
{
	char files[UNITS_TEXT], ranks[UNITS_TEXT], contexts[UNITS_TEXT], bytes[UNITS_TEXT];
	struct stat st = {0};
	stat(path, &st);
	say("%s, %s, %s: %s in '%s'", units_of(files, m->files, "profile"),
	    units_of(ranks, m->part_count, "rank"), units_of(contexts, m->contexts, "context"),
	    units_bytes(bytes, (uint64_t)st.st_size), path);
}

struct merge_options {
	bool sum_ranks;
};

static bool merge(const struct options *o, const struct find_files *files, struct str *err)
{
	const struct merge_options *own = o->own;
	struct merge m;
	bool sorted;
	struct input *inputs = memory_zeroed(files->count, sizeof *inputs);
	for (size_t i = 0; i < files->count; i++)
		inputs[i].path = files->paths[i];
	bool ok = sort_inputs(inputs, files->count, o->force, &sorted, err) &&
		  merge_begin(&m, o->output, !own->sum_ranks, err);
	if (ok) {
		ok = merge_inputs(&m, inputs, files->count, o->force, sorted, err);
		progress_end();
		fputs(str_text(&m.load.warnings), stderr);
		if (ok)
			print_summary(&m, o->output);
		merge_free(&m);
	}
	progress_end();
	for (size_t i = 0; i < files->count; i++)
		free(inputs[i].rank);
	free(inputs);
	return ok;
}

static int run(struct options *o, struct str *err)
{
	struct find_files files = {0};
	if (!o->output) {
		str_fail(err, "-o FILE is missing; see 'zprof help merge'");
		return EXIT_USAGE;
	}
	bool ok = find_files_asked(&files, o->paths, o->path_count, o->force, o->run, err) &&
		  check_files(o, &files, err) && merge(o, &files, err);
	find_files_free(&files);
	return ok ? command_end() : EXIT_FAILED;
}

static const struct option_spec options[] = {
    {'o', "output", "FILE", "What to write", OPTION_TAKE(options_take_output),
     "the merged profile; a merged profile of that name is replaced (see 'zprof help files')"},
    {0, "sum-ranks", NULL, NULL, OPTION_OWN_FLAG(merge_options, sum_ranks),
     "add all ranks up; the default keeps the ranks of a parallel job apart"},
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_merge = {
    .name = "merge",
    .options = options,
    .own_size = sizeof(struct merge_options),
    .run = run,
};
