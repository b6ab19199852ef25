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
	int order = strverscmp(a->rank, b->rank);
	return order ? order : strverscmp(a->path, b->path);
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
		qsort(inputs, count, sizeof *inputs, by_rank);
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
	char files[UNITS_TEXT], contexts[UNITS_TEXT], bytes[UNITS_TEXT];
	struct stat st = {0};
	stat(path, &st);
	say("%s profile%s, %zu rank%s, %s contexts: %s in '%s'", units_count(files, m->files),
	    m->files == 1 ? "" : "s", m->part_count, m->part_count == 1 ? "" : "s",
	    units_count(contexts, m->contexts), units_bytes(bytes, (uint64_t)st.st_size), path);
}

static bool merge(const struct options *o, const struct find_files *files, struct str *err)
{
	struct merge m;
	bool sorted;
	struct input *inputs = memory_zeroed(files->count, sizeof *inputs);
	for (size_t i = 0; i < files->count; i++)
		inputs[i].path = files->paths[i];
	bool ok = sort_inputs(inputs, files->count, o->force, &sorted, err) &&
		  merge_begin(&m, o->output, !o->sum_ranks, err);
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

static int run(int argc, char **argv)
{
	extern const struct command cmd_merge;
	struct options o;
	struct find_files files = {0};
	struct str err = {0};
	int status = command_options(&cmd_merge, &o, argc, argv);
	if (status >= 0)
		return status;
	if (!o.output) {
		str_fail(&err, "-o FILE is missing; see 'zprof help merge'");
		status = command_fail(EXIT_USAGE, &err);
	} else {
		bool ok = o.path_count ? find_files_in(&files, o.paths, o.path_count, &err)
				       : find_files_newest(&files, ".", o.force, &err);
		if (ok && o.run)
			find_files_whole_runs(&files);
		ok = ok && check_files(&o, &files, &err) && merge(&o, &files, &err);
		status = ok ? command_end() : command_fail(EXIT_FAILED, &err);
	}
	find_files_free(&files);
	options_free(&o);
	str_free(&err);
	return status;
}

const struct command cmd_merge = {
    .name = "merge",
    .synopsis = "[OPTION...] -o FILE [FILE|FOLDER...]",
    .summary = "many profiles in one file, with the functions' names",
    .options = OPTIONS_FILES | OPTIONS_MERGE,
    .text =
	"Adds profiles up and writes the sum to a file, which all commands read: the processes "
	"of a run, several runs, the ranks of a parallel job. Without FILE it merges the "
	"newest run in the current folder. Profiles are read one by one, so ten thousand "
	"need no more memory than the largest one and the result.\n\n"
	"Threads of the same name are added up, and so are equal contexts. Ranks stay apart, "
	"for 'zprof report --by-rank'; --sum-ranks adds them up.\n\n"
	"The file holds the names of the functions, and a number for their machine code, so it "
	"needs neither the program nor the profiles it was merged from: it is the form to keep for "
	"a later 'zprof diff'. Times are as reports show them; with --raw they are in ticks of the "
	"first profile's clock. Frames and single calls ('zprof frames') are not added up: keep "
	"the profiles for those.",
    .examples = "the two hundred compilers of a build in one file\n"
		"    mkdir -p prof && zprof record -o prof/%p.zp make\n"
		"    zprof merge -o build.zp prof\n"
		"a parallel job\n"
		"    mpirun -np 4 zprof record -o job.%r.zp ./solver\n"
		"    zprof merge -o job.zp job.*.zp\n"
		"    zprof report --by-rank job.zp",
    .run = run,
};
