/* SPDX-License-Identifier: MIT */
/* cmd_archive.c - `zprof archive`: puts all that reports need of a program into its profile. */
#include <stdio.h>

#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/files/archive.h"
#include "report/core/disk/file_rules.h"
#include "report/core/disk/find_files.h"

struct archive_options {
	bool no_sources;
};

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

static int run(struct options *o, struct str *err)
{
	const struct archive_options *own = o->own;
	struct find_files files = {0};
	struct archive a;
	bool ok = find_files_asked(&files, o->paths, o->path_count, o->force, o->run, err);
	archive_init(&a);
	a.search = o->source_paths;
	a.search_count = o->source_path_count;
	a.anyone = o->force;
	a.no_sources = own->no_sources;
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

static const struct option_spec options[] = {
    OPTIONS_OF(options_source_path),
    {'o', "output", "FILE", "What to write", OPTION_TAKE(options_take_output),
     "a copy of the profile, and leave the profile as it is; an archived copy of that name is replaced"},
    {0, "no-sources", NULL, NULL, OPTION_OWN_FLAG(archive_options, no_sources),
     "leave the texts of source files out"},
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_archive = {
    .name = "archive",
    .options = options,
    .own_size = sizeof(struct archive_options),
    .run = run,
};
