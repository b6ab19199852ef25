/* SPDX-License-Identifier: MIT */
/* cmd_archive.c - `zprof archive`: puts all that reports need of a program into its profile. */
#include <stdio.h>
#include <string.h>

#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/files/archive.h"
#include "report/core/disk/file_rules.h"
#include "report/core/disk/find_files.h"

static void say_result(const char *path, const struct archive_result *r)
{
	char names[UNITS_TEXT], sources[UNITS_TEXT], bytes[UNITS_TEXT];
	if (r->recording)
		say("'%s' is left alone: its process still records", path);
	else if (!r->bytes)
		say("'%s': there is nothing to add, or its programs are gone", path);
	else
		say("%s function%s, %s source file%s: %s in '%s'", units_count(names, r->names),
		    r->names == 1 ? "" : "s", units_count(sources, r->source_count),
		    r->source_count == 1 ? "" : "s", units_bytes(bytes, r->bytes), path);
}

static bool archive_all(struct archive *a, const struct options *o, const struct find_files *files,
			struct str *err)
{
	bool ok = true;
	for (size_t i = 0; ok && i < files->count; i++) {
		struct archive_result r;
		ok = archive_file(a, files->paths[i], o->output, &r, err);
		if (ok)
			say_result(o->output ? o->output : files->paths[i], &r);
	}
	return ok;
}

/* The output is of the same kind as the profile, except that a recorded profile becomes a copy. */
static bool may_write(const struct options *o, char *path, struct str *err)
{
	struct file_facts f;
	file_look(&f, path);
	return file_may_write(f.kind == FILE_MERGED     ? &file_output_merged
			      : f.kind == FILE_SNAPSHOT ? &file_output_snapshot
							: &file_output_copy,
			      o->output, &path, 1, o->force, err);
}

static int archive(struct options *o, struct str *err)
{
	struct find_files files = {0};
	struct archive a;
	bool ok = o->path_count ? find_files_in(&files, o->paths, o->path_count, err)
				: find_files_newest(&files, ".", o->force, err);
	archive_init(&a);
	a.search = o->source_paths;
	a.search_count = o->source_path_count;
	a.anyone = o->force;
	a.no_sources = o->no_sources;
	if (ok && o->run)
		find_files_whole_runs(&files);
	if (ok && o->output && files.count != 1)
		ok =
		    str_fail(err, "-o is for one profile, not %zu: 'zprof merge' makes one of them",
			     files.count);
	ok = ok && (!o->output || may_write(o, files.paths[0], err)) &&
	     archive_all(&a, o, &files, err);
	fputs(str_text(&a.warnings), stderr);
	archive_free(&a);
	find_files_free(&files);
	return ok ? command_end() : EXIT_FAILED;
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_archive;
	return command_write(&cmd_archive, argc, argv, archive);
}

const struct command cmd_archive = {
    .name = "archive",
    .synopsis = "[OPTION...] [FILE|FOLDER...]\n[OPTION...] -o FILE FILE",
    .summary = "put names, lines and sources into a profile",
    .options = OPTIONS_FILES | OPTIONS_ARCHIVE,
    .text =
	"Adds to each profile what reports need to know of its programs and libraries: names and "
	"places of the functions that ran, lines that calls come from, lines of counted "
	"statements, and the source files that these are in. Then it reads the same on another "
	"machine, and after the program has been built again. Without FILE it takes the newest run "
	"in the current folder.\n\n"
	"'zprof record' does so by itself when the program has ended, as long as that adds less than "
	"10 MB; if only the sources are too much, it leaves them out. A profile that was recorded "
	"another way is archived by this command, before the program is built again.\n\n"
	"What is added is read from the programs as they are now; a program that was built again "
	"is recognized by its build-id and refused. Sources are taken as they are now: "
	"--source-path says where they are if they are not where the compiler read them. Anyone who "
	"gets the profile can read them; --no-sources leaves them out. Only files with names of "
	"sources are added.\n\n"
	"A profile that was archived before is archived anew, and keeps what it holds.",
    .examples = "a profile that was recorded by LD_PRELOAD, before the program is built again\n"
		"    zprof archive run.zp\n"
		"a copy for others, without the sources\n"
		"    zprof archive --no-sources -o names.zp run.zp\n"
		"the processes of a run in one file\n"
		"    zprof archive --run zprof.out.4711\n"
		"    zprof merge -o all.zp --run zprof.out.4711",
    .run = run,
};
