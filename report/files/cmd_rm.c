/* SPDX-License-Identifier: MIT */
/*
 * cmd_rm.c - `zprof rm`: removes old runs.
 *
 * All files to be removed are found before the first is removed. So files may be named in any
 * number and order, and an error removes nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/command/command.h"
#include "report/core/disk/file_kind.h"
#include "report/files/own_names.h"
#include "report/files/runs.h"
#include "report/core/read/profile_read.h"
#include "report/core/read/profile_since.h"

#define DEFAULT_PATTERN  "zprof.out.%p"
#define SNAPSHOT_PATTERN "zprof.snapshot.%p"

struct rm_options {
	bool dry_run, keep_given;
	size_t keep;
};

struct removing {
	const struct options *o;
	const struct rm_options *own;
	struct find_files files; /* the files to remove */
	size_t runs, kept_recording;
};

/* ---- what is to be removed */

static bool has(const struct removing *r, const char *path)
{
	for (size_t i = 0; i < r->files.count; i++)
		if (!strcmp(r->files.paths[i], path))
			return true;
	return false;
}

static void add(struct removing *r, const char *path)
{
	if (!has(r, path))
		find_files_add(&r->files, path);
}

static bool is_recorded(const char *path, struct zprof_header *h)
{
	return file_header(path, h) && file_kind_of(h) == FILE_RECORDED;
}

static bool same_process(const struct zprof_header *a, const struct zprof_header *b)
{
	struct file_process first = file_process_of(a), second = file_process_of(b);
	return file_is_known(&first) && file_same_process(&first, &second);
}

/* Adds the profile at PATH, and the base that `zprof reset` has written beside it. */
static void add_profile(struct removing *r, const char *path)
{
	struct zprof_header h, of_base;
	char *base = profile_since_base(path);
	add(r, path);
	if (file_header(path, &h) && file_header(base, &of_base) &&
	    file_kind_of(&of_base) == FILE_SNAPSHOT && same_process(&h, &of_base))
		add(r, base);
	free(base);
}

/*
 * Finds the run's files that the recorder itself named: PATH, whose header is H, and for each other
 * process of the run the profile with a name like PATH's. A second file of a process is a copy,
 * whatever its name, and is not in the list.
 */
static void find_own(struct find_files *own, const char *path, const struct zprof_header *h)
{
	static const uint8_t none[16];
	struct find_files run = {0};
	struct str pattern = {0};
	char *folder = find_files_folder(path);
	own_names_pattern(path, h->pid, &pattern);
	find_files_add(own, path);
	if (memcmp(h->run_id, none, sizeof none))
		find_files_of_run(&run, folder, "", h->run_id);
	struct file_process *taken = memory_zeroed(run.count + 1, sizeof *taken);
	taken[0] = file_process_of(h);
	for (size_t i = 0; i < run.count; i++) {
		struct zprof_header its = {0};
		bool fits = is_recorded(run.paths[i], &its) &&
			    own_names_fit(pattern.text, run.paths[i], its.pid);
		struct file_process process = file_process_of(&its);
		for (size_t k = 0; fits && k < own->count; k++)
			fits = !file_same_process(&process, &taken[k]);
		if (fits) {
			taken[own->count] = process;
			find_files_add(own, run.paths[i]);
		}
	}
	free(taken);
	find_files_free(&run);
	free(folder);
	str_free(&pattern);
}

static bool any_is_live(const struct find_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		struct zprof_header h;
		if (is_recorded(files->paths[i], &h) && file_is_live(files->paths[i], &h))
			return true;
	}
	return false;
}

static void add_run_of(struct removing *r, const char *path, const struct zprof_header *h)
{
	struct find_files own = {0};
	find_own(&own, path, h);
	if (any_is_live(&own)) {
		r->kept_recording++;
	} else {
		r->runs++;
		for (size_t i = 0; i < own.count; i++)
			add_profile(r, own.paths[i]);
	}
	find_files_free(&own);
}

/* Adds a named file; a recorded one with its run. A copy, a snapshot or a merged profile comes
 * alone. */
static bool add_named(struct removing *r, const char *path, struct str *err)
{
	struct zprof_header h;
	struct stat st;
	if (has(r, path)) /* with its run */
		return true;
	if (!lstat(path, &st) && S_ISLNK(st.st_mode))
		return str_fail(err, "'%s' is a symbolic link: name the file that it leads to",
				path);
	if (!profile_peek(&h, path, err))
		return false;
	if (file_kind_of(&h) == FILE_RECORDED)
		add_run_of(r, path, &h);
	else
		add(r, path);
	return true;
}

/* Whether the library gave this name by default. In a folder only such files are removed: others
 * were named for a purpose, such as a base to compare with. */
static bool has_default_name(const char *path)
{
	struct zprof_header h;
	if (!file_header(path, &h))
		return false;
	if (file_kind_of(&h) == FILE_RECORDED)
		return own_names_fit(DEFAULT_PATTERN, path, h.pid);
	if (file_kind_of(&h) != FILE_SNAPSHOT)
		return false;
	size_t of = profile_since_is_base(path);
	if (!of)
		return own_names_fit(SNAPSHOT_PATTERN, path, h.pid);
	char *profile = memory_text(path, of);
	bool yes = own_names_fit(DEFAULT_PATTERN, profile, h.pid);
	free(profile);
	return yes;
}

/* Whether a run has a recorded profile in FILES, not only a snapshot. */
static bool has_profile(const struct find_files *files, const struct run *run)
{
	struct zprof_header h;
	for (size_t i = 0; i < run->file_count; i++)
		if (is_recorded(files->paths[run->files[i]], &h))
			return true;
	return false;
}

/* Adds all runs in FOLDER except the newest, as many as are to be kept. */
static bool add_folder(struct removing *r, const char *folder, struct str *err)
{
	struct find_files files = {0};
	struct runs runs;
	struct str warnings = {0};
	if (!find_files_all(&files, folder, "zprof.", err))
		return false;
	for (size_t i = files.count; i-- > 0;)
		if (!has_default_name(files.paths[i]))
			find_files_drop(&files, i);
	runs_make(&runs, &files, false, &warnings);
	command_warn(&warnings);
	size_t newer = 0;
	for (size_t i = runs.count; i-- > 0;) {
		const struct run *run = &runs.list[i];
		if (newer < r->own->keep) {
			newer += has_profile(&files, run);
			continue;
		}
		if (run->running) {
			r->kept_recording++;
			continue;
		}
		r->runs++;
		for (size_t k = 0; k < run->file_count; k++)
			add(r, files.paths[run->files[k]]);
	}
	runs_free(&runs);
	find_files_free(&files);
	str_free(&warnings);
	return true;
}

static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool find_all(struct removing *r, struct str *err)
{
	static char here[] = ".";
	const struct options *o = r->o;
	char *folder[] = {here};
	char **paths = o->path_count ? o->paths : folder;
	size_t count = o->path_count ? o->path_count : 1;
	for (size_t i = 0; i < count; i++) {
		bool in_folder = is_folder(paths[i]);
		if (in_folder && !r->own->keep_given)
			return str_fail(err,
					"--keep N says how many runs in the folder '%s' to keep",
					paths[i]);
		if (!in_folder && r->own->keep_given)
			return str_fail(err,
					"--keep is for folders, and '%s' is none: name the folder, "
					"or leave --keep out to remove the run of that file",
					paths[i]);
		if (!(in_folder ? add_folder(r, paths[i], err) : add_named(r, paths[i], err)))
			return false;
	}
	return true;
}

/* ---- removing */

/* Removes the files. Returns false after a message if a file could not be removed. */
static bool remove_all(struct removing *r)
{
	char files[UNITS_TEXT], runs[UNITS_TEXT], bytes[UNITS_TEXT];
	uint64_t freed = 0;
	size_t removed = 0;
	bool ok = true;
	for (size_t i = 0; i < r->files.count; i++) {
		const char *path = r->files.paths[i];
		struct stat st;
		if (lstat(path, &st))
			continue;
		if (r->own->dry_run) {
			visible_print(stdout, path);
			puts("");
		} else if (unlink(path)) {
			say("cannot remove '%s': %s", path, strerror(errno));
			ok = false;
			continue;
		}
		removed++;
		freed += (uint64_t)st.st_blocks * 512;
	}
	const char *what = r->own->dry_run ? "would remove" : "removed";
	if (removed && r->runs)
		say("%s %s of %s, %s", what, units_of(files, removed, "file"),
		    units_of(runs, r->runs, "run"), units_bytes(bytes, freed));
	else if (removed)
		say("%s %s, %s", what, units_of(files, removed, "file"), units_bytes(bytes, freed));
	if (r->kept_recording)
		say("%s %s still recording: kept", units_of(runs, r->kept_recording, "run"),
		    r->kept_recording == 1 ? "is" : "are");
	return ok;
}

static bool take_keep(struct options *o, const char *value, struct str *err)
{
	struct rm_options *own = o->own;
	unsigned long n;
	if (!options_number(value, 1000000000, &n))
		return str_fail(err, "--keep is a number of runs, not '%s'", value);
	own->keep = n;
	own->keep_given = true;
	return true;
}

static int run(struct options *o, struct str *err)
{
	struct removing r = {.o = o, .own = o->own};
	int status = EXIT_FAILED;
	if (find_all(&r, err)) {
		bool ok = remove_all(&r);
		int ended = command_end();
		status = ok ? ended : EXIT_FAILED;
	}
	find_files_free(&r.files);
	return status;
}

static const struct option_spec options[] = {
    {0, "keep", "N", "What to remove", OPTION_TAKE(take_keep),
     "keep the newest N runs in the folder; may be 0"},
    {0, "dry-run", NULL, NULL, OPTION_OWN_FLAG(rm_options, dry_run),
     "print the names of the files instead of removing them"},
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_rm = {
    .name = "rm",
    .options = options,
    .own_size = sizeof(struct rm_options),
    .run = run,
};
