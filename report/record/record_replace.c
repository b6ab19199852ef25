/* SPDX-License-Identifier: MIT */
/* record_replace.c - see record_replace.h. */
#include "report/record/record_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/disk/file_rules.h"
#include "report/files/own_names.h"
#include "report/core/read/owner.h"
#include "report/core/read/profile_read.h"
#include "report/core/read/profile_since.h"

static void add_rank(struct str *name)
{
	static const char *const launchers[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
						"SLURM_PROCID"};
	const char *rank = NULL;
	for (size_t i = 0; !rank && i < sizeof launchers / sizeof *launchers; i++)
		rank = getenv(launchers[i]);
	str_add(name, "%s", rank ? rank : "0");
}

/* Adds the name of this host up to its first dot, like preload/profile/path.c. */
static void add_host(struct str *name)
{
	char host[65] = "";
	gethostname(host, sizeof host - 1);
	for (const char *c = host; *c && *c != '.'; c++)
		str_add(name, "%c", *c == '/' ? '_' : *c);
}

/* The one name that a pattern gives to every process; NULL: names depend on the process. */
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

static bool is_there(const char *path)
{
	struct stat st;
	return !lstat(path, &st);
}

/* ---- the files of the earlier run */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Whether the file is of a further process of the run. If not, it is a copy of NAME's own. */
static bool is_further(const char *path, const struct zprof_header *first)
{
	struct zprof_header h;
	if (!file_header(path, &h))
		return false;
	struct file_process a = file_process_of(first), b = file_process_of(&h);
	return !file_same_process(&a, &b);
}

/* Adds the base that `zprof reset` has written beside a profile, if both are of one process. */
static void add_base(struct find_files *parts, const char *path)
{
	struct zprof_header h, of_base;
	char *base = profile_since_base(path);
	if (file_header(path, &h) && file_header(base, &of_base)) {
		struct file_process a = file_process_of(&h), b = file_process_of(&of_base);
		if (file_same_process(&a, &b))
			find_files_add(parts, base);
	}
	free(base);
}

/* Finds the files of the run of NAME: NAME, `NAME.2`, `NAME.3` ... and their bases. */
static void find_parts(struct find_files *parts, const char *name)
{
	struct find_files all = {0};
	struct str pattern = {0};
	struct zprof_header h;
	char *folder = find_files_folder(name);
	const char *base = base_name(name);
	find_files_add(parts, name);
	own_names_literal(&pattern, base, strlen(base));
	if (file_header(name, &h))
		find_files_of_run(&all, folder, base, h.run_id);
	for (size_t i = 0; i < all.count; i++)
		if (own_names_fit(str_text(&pattern), all.paths[i], 0) &&
		    is_further(all.paths[i], &h))
			find_files_add(parts, all.paths[i]);
	for (size_t i = 0, n = parts->count; i < n; i++)
		add_base(parts, parts->paths[i]);
	find_files_free(&all);
	str_free(&pattern);
	free(folder);
}

/* ---- putting files aside */

static void note_earlier(struct record_replace *r, const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return;
	*memory_next(r->earlier, r->earlier_count, r->earlier_room) =
	    (struct earlier_file){memory_text(path, strlen(path)), st.st_dev, st.st_ino};
}

/* Notes files that an earlier `zprof record` has left under NAME~, NAME.2~ ... */
static void note_left(struct record_replace *r)
{
	struct find_files all = {0};
	struct str pattern = {0};
	char *folder = find_files_folder(r->name);
	const char *base = base_name(r->name);
	own_names_literal(&pattern, base, strlen(base));
	find_files_aside(&all, folder, base);
	for (size_t i = 0; i < all.count; i++) {
		char *plain = memory_text(all.paths[i], strlen(all.paths[i]) - 1);
		size_t of = profile_since_is_base(plain);
		if (of)
			plain[of] = 0;
		if (own_names_fit(str_text(&pattern), plain, 0))
			note_earlier(r, all.paths[i]);
		free(plain);
	}
	find_files_free(&all);
	str_free(&pattern);
	free(folder);
}

/* Whether `PATH~` is a free name, or is a file that was put aside before. */
static bool may_be_aside(const char *path, struct str *err)
{
	struct zprof_header h;
	char *tilde = with_tilde(path);
	bool free_name = !is_there(tilde) || (file_header(tilde, &h) && file_is_aside(tilde, &h) &&
					      !file_is_live(tilde, &h));
	if (!free_name)
		str_fail(err,
			 "cannot keep the earlier '%s' as '%s' meanwhile: there is another file of "
			 "that name; rename it",
			 path, tilde);
	free(tilde);
	return free_name;
}

static bool may_move(const char *path, bool force, struct str *err)
{
	struct stat st;
	if (lstat(path, &st))
		return true;
	if (S_ISLNK(st.st_mode))
		return str_fail(
		    err,
		    "cannot record into '%s': it is a symbolic link; name the file that "
		    "it leads to",
		    path);
	if (!force && !owner_check(&st, false, path, err))
		return false;
	return file_may_write(profile_since_is_base(path) ? &file_output_snapshot
							  : &file_output_recorded,
			      path, NULL, 0, force, err) &&
	       may_be_aside(path, err);
}

/* Sets or clears the flag ZPROF_ASIDE in the file's header. A file that is no profile has no
 * header. */
static void set_aside(const char *path, bool aside)
{
	struct zprof_header h;
	if (!file_header(path, &h))
		return;
	uint32_t flags = aside ? h.flags | ZPROF_ASIDE : h.flags & ~ZPROF_ASIDE;
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (pwrite(fd, &flags, sizeof flags, offsetof(struct zprof_header, flags)) < 0)
		say("cannot mark '%s': %s", path, strerror(errno));
	close(fd);
}

static void put_back(char *const *paths, size_t count)
{
	while (count--) {
		char *tilde = with_tilde(paths[count]);
		set_aside(tilde, false);
		rename(tilde, paths[count]);
		free(tilde);
	}
}

/* Puts all files aside, or none. */
static bool put_aside(struct record_replace *r, const struct find_files *parts, struct str *err)
{
	for (size_t i = 0; i < parts->count; i++) {
		char *tilde = with_tilde(parts->paths[i]);
		bool there = is_there(parts->paths[i]);
		if (there && rename(parts->paths[i], tilde)) {
			str_fail(err, "cannot rename '%s' to '%s': %s", parts->paths[i], tilde,
				 strerror(errno));
			free(tilde);
			put_back(parts->paths, i);
			return false;
		}
		if (there) {
			set_aside(tilde, true);
			note_earlier(r, tilde);
		}
		free(tilde);
	}
	return true;
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
	bool ok = true;
	for (size_t i = 0; ok && i < parts.count; i++)
		ok = may_move(parts.paths[i], force, err);
	if (ok)
		note_left(r);
	ok = ok && put_aside(r, &parts, err);
	find_files_free(&parts);
	return ok;
}

/* ---- when the program has ended */

/* Says that a file of another run has the name that this run would have had. */
static void say_taken(const struct record_replace *r, const struct find_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		struct zprof_header its, other;
		struct str plain = {0};
		bool asked_for = r->name && !strcmp(base_name(r->name), base_name(files->paths[i]));
		str_add(&plain, "%s", files->paths[i]);
		char *dot = strrchr(plain.text, '.');
		if (dot && strspn(dot + 1, "0123456789") == strlen(dot + 1))
			*dot = 0;
		bool taken = !asked_for && file_header(files->paths[i], &its) &&
			     file_header(plain.text, &other) &&
			     memcmp(its.run_id, other.run_id, sizeof its.run_id) != 0;
		if (taken)
			say("'%s' is of another run, and stays; this run is in '%s'", plain.text,
			    files->paths[i]);
		str_free(&plain);
		if (taken)
			return;
	}
}

/* Says that `NAME.2` is of another run, and stays: NAME was no file of that run, or was renamed. */
static void say_left_over(const struct record_replace *r, const struct find_files *files)
{
	struct zprof_header its, other;
	struct str path = {0};
	if (!r->name || !files->count || !file_header(files->paths[0], &its))
		return;
	str_add(&path, "%s.2", r->name);
	if (file_header(path.text, &other) &&
	    memcmp(its.run_id, other.run_id, sizeof its.run_id) != 0)
		say("'%s' is of another run, and stays", path.text);
	str_free(&path);
}

static void remove_earlier(const struct earlier_file *f)
{
	struct stat st;
	if (stat(f->path, &st) || st.st_dev != f->device || st.st_ino != f->inode)
		return;
	if (unlink(f->path) && errno != ENOENT)
		say("cannot remove '%s': %s", f->path, strerror(errno));
}

void record_replace_end(struct record_replace *r, const struct find_files *files)
{
	for (size_t i = 0; files->count && i < r->earlier_count; i++)
		remove_earlier(&r->earlier[i]);
	if (!files->count && r->earlier_count && !is_there(r->name))
		say("'%s' is not there now; the earlier one is '%s~'", r->name, r->name);
	say_taken(r, files);
	say_left_over(r, files);
}

void record_replace_free(struct record_replace *r)
{
	for (size_t i = 0; i < r->earlier_count; i++)
		free(r->earlier[i].path);
	free(r->earlier);
	free(r->name);
}
