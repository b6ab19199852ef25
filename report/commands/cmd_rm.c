/* SPDX-License-Identifier: MIT */
/* cmd_rm.c - `zprof rm`: removes old runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/memory.h"
#include "report/base/say.h"
#include "report/base/units.h"
#include "report/base/visible.h"
#include "report/commands/command.h"
#include "report/model/runs.h"
#include "report/model/zones.h"

#define DEFAULT_NAME "zprof.out"

struct removing {
	const struct options *o;
	size_t runs, files, kept_recording;
	uint64_t bytes;
	bool failed;
};

/* In a folder only files of the library's default name are looked at: others were named for a
 * purpose, such as a base to compare with. */
static bool has_default_name(const char *path)
{
	return !strncmp(zones_base_name(path), DEFAULT_NAME, strlen(DEFAULT_NAME));
}

static void remove_file(struct removing *r, const char *path)
{
	struct stat st;
	if (lstat(path, &st))
		return;
	if (r->o->dry_run) {
		visible_print(path);
		puts("");
	} else if (unlink(path)) {
		say("cannot remove '%s': %s", path, strerror(errno));
		r->failed = true;
		return;
	}
	r->files++;
	r->bytes += (uint64_t)st.st_blocks * 512;
}

static void remove_run(struct removing *r, const struct runs *all, const struct run *run)
{
	if (run->running) {
		r->kept_recording++;
		return;
	}
	r->runs++;
	for (size_t i = 0; i < run->file_count; i++)
		remove_file(r, all->paths[run->files[i]]);
}

static void drop_named(struct find_files *files)
{
	size_t kept = 0;
	for (size_t i = 0; i < files->count; i++) {
		if (has_default_name(files->paths[i]))
			files->paths[kept++] = files->paths[i];
		else
			free(files->paths[i]);
	}
	files->count = kept;
}

/* Removes all runs in FOLDER except the newest ones to be kept. */
static bool clean_folder(struct removing *r, char *folder, struct str *err)
{
	struct find_files files = {0};
	struct runs runs;
	struct str warnings = {0};
	if (!find_files_in(&files, &folder, 1, err)) {
		find_files_free(&files);
		return false;
	}
	drop_named(&files);
	runs_make(&runs, &files, false, &warnings);
	command_warn(&warnings);
	for (size_t i = 0; i + r->o->keep < runs.count; i++)
		remove_run(r, &runs, &runs.list[i]);
	runs_free(&runs);
	find_files_free(&files);
	str_free(&warnings);
	return true;
}

/* Removes the run that the file at PATH belongs to. */
static bool remove_run_of(struct removing *r, char *path, struct str *err)
{
	struct find_files files = {0};
	struct runs runs;
	struct str warnings = {0};
	struct zprof_header h;
	if (!profile_peek(&h, path, err) || !find_files_in(&files, &path, 1, err))
		return false;
	find_files_whole_runs(&files);
	runs_make(&runs, &files, false, &warnings);
	bool ok = !warnings.used ||
		  str_fail(err, "%.*s", (int)strcspn(warnings.text, "\n"), warnings.text);
	for (size_t i = 0; ok && i < runs.count; i++)
		remove_run(r, &runs, &runs.list[i]);
	runs_free(&runs);
	find_files_free(&files);
	str_free(&warnings);
	return ok;
}

static bool remove_all(struct removing *r, struct str *err)
{
	static char here[] = ".";
	const struct options *o = r->o;
	char *folder[] = {here};
	char **paths = o->path_count ? o->paths : folder;
	size_t count = o->path_count ? o->path_count : 1;
	for (size_t i = 0; i < count; i++) {
		struct stat st;
		bool is_folder = !stat(paths[i], &st) && S_ISDIR(st.st_mode);
		if (is_folder && !o->keep_given)
			return str_fail(err,
					"--keep N says how many runs in the folder '%s' to keep",
					paths[i]);
		if (!(is_folder ? clean_folder(r, paths[i], err) : remove_run_of(r, paths[i], err)))
			return false;
	}
	return true;
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_rm;
	char files[UNITS_TEXT], runs[UNITS_TEXT], bytes[UNITS_TEXT];
	struct options o;
	struct str err = {0};
	int status = command_options(&cmd_rm, &o, argc, argv);
	if (status >= 0)
		return status;
	struct removing r = {.o = &o};
	bool ok = remove_all(&r, &err);
	if (r.files)
		say("%s %s file%s of %s run%s, %s", o.dry_run ? "would remove" : "removed",
		    units_count(files, r.files), r.files == 1 ? "" : "s", units_count(runs, r.runs),
		    r.runs == 1 ? "" : "s", units_bytes(bytes, r.bytes));
	if (r.kept_recording)
		say("%zu run%s still recording: kept", r.kept_recording,
		    r.kept_recording == 1 ? " is" : "s are");
	if (!ok)
		status = command_fail(EXIT_FAILED, &err);
	else
		status = r.failed ? EXIT_FAILED : command_end();
	options_free(&o);
	str_free(&err);
	return status;
}

const struct command cmd_rm = {
    .name = "rm",
    .synopsis = "--keep N [FOLDER...]\n"
		"FILE...",
    .summary = "remove old runs",
    .options = OPTIONS_REMOVE,
    .text = "Removes from the folder, or from the current one, all runs but the newest N, with the "
	    "files of all their processes; or, for each FILE, all files of its run. Runs "
	    "that are still recording stay.\n\n"
	    "In a folder only files 'zprof.out*' count: a profile of another name was named for a "
	    "purpose, such as a base to compare with, and is removed only if it is named.",
    .examples = "keep the last three runs\n"
		"    zprof rm --keep 3\n"
		"which files that would be\n"
		"    zprof rm --keep 3 --dry-run",
    .run = run,
};
