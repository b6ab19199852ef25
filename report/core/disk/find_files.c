/* SPDX-License-Identifier: MIT */
/* find_files.c - see find_files.h. */
#define _GNU_SOURCE
#include "report/core/disk/find_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/core/base/lookup.h"
#include "report/core/base/memory.h"
#include "report/core/base/replace.h"
#include "report/core/disk/file_kind.h"
#include "report/core/read/owner.h"
#include "report/core/read/profile_read.h"

#define DEFAULT_NAME "zprof.out"

void find_files_add(struct find_files *f, const char *path)
{
	*memory_next(f->paths, f->count, f->room) = memory_text(path, strlen(path));
}

static void add_in(struct find_files *f, const char *folder, const char *name)
{
	struct str path = {0};
	if (strcmp(folder, "."))
		str_add(&path, "%s/", folder);
	str_add(&path, "%s", name);
	find_files_add(f, path.text);
	str_free(&path);
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Lists the regular files of FOLDER whose names begin with PREFIX, sorted. Files that are being
 * written are left out. */
static bool list_folder(struct find_files *f, const char *folder, const char *prefix,
			struct str *err)
{
	DIR *d = opendir(folder);
	if (!d)
		return str_fail(err, "cannot open folder '%s': %s", folder, strerror(errno));
	size_t before = f->count;
	struct dirent *e;
	while ((e = readdir(d))) {
		struct stat st;
		if (!strncmp(e->d_name, prefix, strlen(prefix)) && !replace_is_hidden(e->d_name) &&
		    !fstatat(dirfd(d), e->d_name, &st, 0) && S_ISREG(st.st_mode))
			add_in(f, folder, e->d_name);
	}
	closedir(d);
	memory_sort(f->paths + before, f->count - before, by_name);
	return true;
}

/* Whether a file begins as a profile does. Files put aside are refused, and snapshots unless
 * OR_SNAPSHOT. */
static bool has_magic(const char *path, bool or_snapshot)
{
	struct zprof_header h = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool yes = read(fd, &h, sizeof h) >= (ssize_t)sizeof h.magic &&
		   !memcmp(h.magic, ZPROF_MAGIC, sizeof h.magic) &&
		   (or_snapshot || !(h.flags & ZPROF_SNAPSHOT)) && !file_is_aside(path, &h);
	close(fd);
	return yes;
}

/* Drops the paths from index FIRST on for which KEEP returns false. */
static void keep_if(struct find_files *f, size_t first, bool (*keep)(const char *, const void *),
		    const void *context)
{
	size_t kept = first;
	for (size_t i = first; i < f->count; i++) {
		if (keep(f->paths[i], context))
			f->paths[kept++] = f->paths[i];
		else
			free(f->paths[i]);
	}
	f->count = kept;
}

static bool is_profile(const char *path, const void *or_snapshot)
{
	return has_magic(path, or_snapshot != NULL);
}

static bool is_of_run(const char *path, const void *run_id)
{
	struct zprof_header h;
	return file_header(path, &h) && !(h.flags & (ZPROF_SNAPSHOT | ZPROF_MERGED)) &&
	       !memcmp(h.run_id, run_id, sizeof h.run_id);
}

static bool add_folder(struct find_files *f, const char *folder, struct str *err)
{
	size_t before = f->count;
	if (!list_folder(f, folder, "", err))
		return false;
	keep_if(f, before, is_profile, NULL);
	if (f->count == before)
		return str_fail(err, "no profile in folder '%s'", folder);
	return true;
}

/* Which file a path leads to: `zprof graph . zprof.out.7` must not count one file twice. */
struct identity {
	dev_t device;
	ino_t inode;
};

static bool same_file(const void *context, uint32_t item, const void *key)
{
	const struct identity *known = context, *k = key;
	return known[item].device == k->device && known[item].inode == k->inode;
}

/* Paths that lead nowhere are kept: opening them will say why. */
void find_files_once(struct find_files *f)
{
	struct identity *known = memory_zeroed(f->count, sizeof *known);
	struct lookup by_identity = {0};
	size_t kept = 0;
	for (size_t i = 0; i < f->count; i++) {
		struct stat st;
		char *path = f->paths[i];
		if (!stat(path, &st)) {
			struct identity id = {st.st_dev, st.st_ino};
			uint64_t hash = lookup_hash(st.st_dev, st.st_ino);
			if (lookup_find(&by_identity, hash, same_file, known, &id) != LOOKUP_NONE) {
				free(path);
				continue;
			}
			known[kept] = id;
			lookup_add(&by_identity, hash, (uint32_t)kept);
		}
		f->paths[kept++] = path;
	}
	f->count = kept;
	lookup_free(&by_identity);
	free(known);
}

bool find_files_all(struct find_files *f, const char *folder, const char *prefix, struct str *err)
{
	size_t before = f->count;
	if (!list_folder(f, folder, prefix, err))
		return false;
	keep_if(f, before, is_profile, f);
	return true;
}

bool find_files_in(struct find_files *f, char *const *paths, size_t count, struct str *err)
{
	for (size_t i = 0; i < count; i++) {
		struct stat st;
		if (!stat(paths[i], &st) && S_ISDIR(st.st_mode)) {
			if (!add_folder(f, paths[i], err)) {
				find_files_free(f);
				return false;
			}
		} else {
			find_files_add(f, paths[i]);
		}
	}
	find_files_once(f);
	return true;
}

static bool is_trusted(const char *path)
{
	struct stat st;
	return !stat(path, &st) && owner_is_trusted(&st);
}

/* The readable file whose process started last; with OWN, only the user's and root's files. */
static bool newest(const struct find_files *f, bool own, struct zprof_header *best, size_t *which,
		   struct str *err)
{
	bool any = false;
	for (size_t i = 0; i < f->count; i++) {
		struct zprof_header h;
		if ((own && !is_trusted(f->paths[i])) || !profile_peek(&h, f->paths[i], err) ||
		    h.flags & (ZPROF_SNAPSHOT | ZPROF_MERGED) || file_is_aside(f->paths[i], &h))
			continue;
		if (!any || h.start_realtime_ns > best->start_realtime_ns) {
			*best = h;
			*which = i;
		}
		any = true;
	}
	return any;
}

/* Chooses the user's own newest file instead, if there is one, and remembers the newer file. */
static void newest_own(struct find_files *f, struct zprof_header *best, size_t *which)
{
	struct zprof_header own;
	struct str err = {0};
	size_t number;
	bool any = newest(f, true, &own, &number, &err);
	str_free(&err);
	if (!any || number == *which)
		return;
	if (own.start_realtime_ns < best->start_realtime_ns &&
	    memcmp(own.run_id, best->run_id, sizeof own.run_id))
		f->passed_over = memory_text(f->paths[*which], strlen(f->paths[*which]));
	*best = own;
	*which = number;
}

static bool is_run(const uint8_t id[16])
{
	static const uint8_t none[16];
	return memcmp(id, none, sizeof none) != 0;
}

static void keep_one(struct find_files *f, size_t which)
{
	char *path = f->paths[which];
	f->paths[which] = f->paths[0];
	f->paths[0] = path;
	while (f->count > 1)
		free(f->paths[--f->count]);
}

static bool is_aside(const char *path, const void *context)
{
	struct zprof_header h;
	(void)context;
	return file_header(path, &h) && file_is_aside(path, &h);
}

/* Adds files of FOLDER for which KEEP returns true; it is no error if there is none. */
static void add_if(struct find_files *f, const char *folder, const char *prefix,
		   bool (*keep)(const char *, const void *), const void *context)
{
	struct str err = {0};
	size_t before = f->count;
	if (list_folder(f, folder, prefix, &err))
		keep_if(f, before, keep, context);
	str_free(&err);
}

void find_files_aside(struct find_files *f, const char *folder, const char *prefix)
{
	add_if(f, folder, prefix, is_aside, NULL);
}

/* All files of the newest run in this folder. */
static bool add_newest(struct find_files *f, bool anyone, struct str *err)
{
	struct zprof_header best;
	size_t which = 0;
	str_clear(err);
	if (!list_folder(f, ".", DEFAULT_NAME, err))
		return false;
	if (!newest(f, false, &best, &which, err)) {
		find_files_free(f);
		return err->used
			   ? false
			   : str_fail(err,
				      "no profile here: there is no file '%s.*' in this folder; "
				      "make one with 'zprof record PROGRAM', or name one",
				      DEFAULT_NAME);
	}
	if (!anyone)
		newest_own(f, &best, &which);
	if (is_run(best.run_id))
		keep_if(f, 0, is_of_run, best.run_id);
	else
		keep_one(f, which);
	return true;
}

void find_files_of_run(struct find_files *f, const char *folder, const char *prefix,
		       const uint8_t run_id[16])
{
	add_if(f, folder, prefix, is_of_run, run_id);
}

char *find_files_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;
	return memory_text(slash ? path : ".", slash ? n + !n : 1);
}

void find_files_drop(struct find_files *f, size_t index)
{
	free(f->paths[index]);
	f->count--;
	memmove(f->paths + index, f->paths + index + 1, (f->count - index) * sizeof *f->paths);
}

static void add_whole_runs(struct find_files *f)
{
	for (size_t i = 0, named = f->count; i < named; i++) {
		struct zprof_header h;
		char *folder = find_files_folder(f->paths[i]);
		if (file_header(f->paths[i], &h) && is_run(h.run_id))
			find_files_of_run(f, folder, "", h.run_id);
		free(folder);
	}
	find_files_once(f);
}

bool find_files_asked(struct find_files *f, char *const *paths, size_t count, bool anyone,
		      bool whole_runs, struct str *err)
{
	bool ok = count ? find_files_in(f, paths, count, err) : add_newest(f, anyone, err);
	if (ok && whole_runs)
		add_whole_runs(f);
	return ok;
}

void find_files_free(struct find_files *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->paths[i]);
	for (size_t i = 0; i < f->left_out_count; i++) {
		free(f->left_out[i].path);
		free(f->left_out[i].read);
	}
	free(f->paths);
	free(f->left_out);
	free(f->passed_over);
	*f = (struct find_files){0};
}
