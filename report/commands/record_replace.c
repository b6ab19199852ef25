/* SPDX-License-Identifier: MIT */
/* record_replace.c - see record_replace.h. */
#include "report/commands/record_replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/base/memory.h"
#include "report/base/say.h"
#include "report/files/file_rules.h"
#include "report/files/own_names.h"
#include "report/profile/profile_read.h"
#include "report/profile/profile_since.h"

static void add_rank(struct str *name)
{
	static const char *const launchers[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
						"SLURM_PROCID"};
	const char *rank = NULL;
	for (size_t i = 0; !rank && i < sizeof launchers / sizeof *launchers; i++)
		rank = getenv(launchers[i]);
	str_add(name, "%s", rank ? rank : "0");
}

/* As preload/profile/path.c has it: up to the first dot. */
static void add_host(struct str *name)
{
	char host[65] = "";
	gethostname(host, sizeof host - 1);
	for (const char *c = host; *c && *c != '.'; c++)
		str_add(name, "%c", *c == '/' ? '_' : *c);
}

/* The name that the pattern means for every process; NULL: there is no such name. */
static char *name_of(const char *pattern)
{
	struct str name = {0};
	for (; *pattern; pattern++) {
		if (*pattern != '%') {
			str_add(&name, "%c", *pattern);
			continue;
		}
		switch (*++pattern) {
		case 'h':
			add_host(&name);
			break;
		case 'r':
			add_rank(&name);
			break;
		case '%':
			str_add(&name, "%%");
			break;
		case 'p':
		case 'e':
			str_free(&name);
			return NULL;
		default: /* no directive: the library takes both characters as they are */
			str_add(&name, "%%");
			pattern--;
		}
	}
	return name.text;
}

static char *with_tilde(const char *path)
{
	struct str text = {0};
	str_add(&text, "%s~", path);
	return text.text;
}

static bool look(const char *path, struct zprof_header *h)
{
	struct str err = {0};
	bool ok = profile_peek(h, path, &err);
	str_free(&err);
	return ok;
}

static void add_pattern(const char *name, struct str *pattern)
{
	for (; *name; name++)
		str_add(pattern, *name == '%' ? "%%%%" : "%c", *name);
}

/* Adds NAME.2 for a file `NAME.2`, or `NAME.2~`, of the run that the file at LIKE is of. */
static void find_parts_of(struct find_files *parts, const char *name, const char *like)
{
	struct find_files all = {0};
	struct str pattern = {0};
	struct zprof_header h;
	char *folder = find_files_folder(name);
	const char *base = strrchr(name, '/');
	base = base ? base + 1 : name;
	add_pattern(base, &pattern);
	if (look(like, &h))
		find_files_of_run(&all, folder, base, h.run_id);
	for (size_t i = 0; i < all.count; i++) {
		size_t n = strlen(all.paths[i]);
		if (all.paths[i][n - 1] == '~')
			all.paths[i][n - 1] = 0;
		if (own_names_fit(str_text(&pattern), all.paths[i], 0))
			find_files_add(parts, all.paths[i]);
	}
	find_files_free(&all);
	str_free(&pattern);
	free(folder);
}

/*
 * The names of the earlier run: NAME, those of its other processes, and what `zprof reset` left of
 * each. Its files have these names, or `~` behind them if a `zprof record` was killed, or wrote no
 * profile.
 */
static void find_parts(struct find_files *parts, const char *name)
{
	char *tilde = with_tilde(name);
	find_files_add(parts, name);
	find_parts_of(parts, name, name);
	find_parts_of(parts, name, tilde);
	for (size_t i = 0, n = parts->count; i < n; i++) {
		char *reset = profile_since_base(parts->paths[i]);
		find_files_add(parts, reset);
		free(reset);
	}
	free(tilde);
}

static bool is_there(const char *path)
{
	return !access(path, F_OK);
}

static bool is_ours(const char *path)
{
	struct file_facts f;
	file_look(&f, path);
	return f.kind == FILE_RECORDED || f.kind == FILE_SNAPSHOT;
}

/* What `zprof reset` has left. */
static bool is_base(const char *path)
{
	size_t n = strlen(path), end = strlen(".base");
	return n > end && !strcmp(path + n - end, ".base");
}

/* Whether the files that are there may go, and `~` files that are in their way. */
static bool may_move(const struct find_files *parts, bool force, struct str *err)
{
	bool ok = true;
	for (size_t i = 0; ok && i < parts->count; i++) {
		if (!is_there(parts->paths[i]))
			continue;
		char *tilde = with_tilde(parts->paths[i]);
		ok = file_may_write(is_base(parts->paths[i]) ? &file_output_snapshot
							     : &file_output_recorded,
				    parts->paths[i], NULL, 0, force, err);
		if (ok && is_there(tilde) && !is_ours(tilde) && !force)
			ok = str_fail(err,
				      "cannot keep the earlier '%s' as '%s' meanwhile: there is "
				      "another file of that name; rename it, or give it up with "
				      "--force",
				      parts->paths[i], tilde);
		free(tilde);
	}
	return ok;
}

static bool move(struct record_replace *r, const struct find_files *parts, struct str *err)
{
	bool ok = true;
	for (size_t i = 0; ok && i < parts->count; i++) {
		char *tilde = with_tilde(parts->paths[i]);
		bool moved = is_there(parts->paths[i]);
		if (moved && rename(parts->paths[i], tilde))
			ok = str_fail(err, "cannot rename '%s' to '%s': %s", parts->paths[i], tilde,
				      strerror(errno));
		if (moved || (is_there(tilde) && is_ours(tilde)))
			find_files_add(&r->earlier, tilde);
		free(tilde);
	}
	return ok;
}

bool record_replace_begin(struct record_replace *r, const char *output, bool force, struct str *err)
{
	struct find_files parts = {0};
	struct file_facts f;
	*r = (struct record_replace){.name = output ? name_of(output) : NULL};
	if (!r->name)
		return true;
	file_look(&f, r->name);
	if (f.kind == FILE_STREAM)
		return str_fail(err, "cannot record into '%s': it is not a regular file", r->name);
	find_parts(&parts, r->name);
	bool ok = may_move(&parts, force, err) && move(r, &parts, err);
	find_files_free(&parts);
	return ok;
}

/* A file of another run had the name, so the library has appended a number. */
static void say_taken(const struct find_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		struct zprof_header its, other;
		struct str plain = {0};
		str_add(&plain, "%s", files->paths[i]);
		char *dot = strrchr(str_text(&plain), '.');
		if (dot && strspn(dot + 1, "0123456789") == strlen(dot + 1))
			*dot = 0;
		if (look(files->paths[i], &its) && look(plain.text, &other) &&
		    memcmp(its.run_id, other.run_id, sizeof its.run_id)) {
			say("'%s' is of another run, and stays; this run is in '%s'", plain.text,
			    files->paths[i]);
			i = files->count;
		}
		str_free(&plain);
	}
}

void record_replace_end(struct record_replace *r, const struct find_files *files)
{
	find_files_once(&r->earlier);
	for (size_t i = 0; files->count && i < r->earlier.count; i++)
		if (unlink(r->earlier.paths[i]))
			say("cannot remove '%s': %s", r->earlier.paths[i], strerror(errno));
	if (!files->count && r->earlier.count)
		say("'%s' is not there now; the earlier one is '%s'", r->name, r->earlier.paths[0]);
	say_taken(files);
}

void record_replace_free(struct record_replace *r)
{
	free(r->name);
	find_files_free(&r->earlier);
}
