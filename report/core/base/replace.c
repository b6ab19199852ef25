/* SPDX-License-Identifier: MIT */
/* replace.c - see replace.h. */
#define _GNU_SOURCE
#include "report/core/base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "report/core/base/memory.h"

#define MARK       ".zprof-"
#define LINKS_MOST 40

bool replace_is_hidden(const char *name)
{
	return *name == '.' && strstr(name, MARK);
}

/* ---- where it goes */

/* The length of the folder in PATH, with its last '/'; 0: the current folder. */
static size_t folder_bytes(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash + 1 - path) : 0;
}

static char *folder_of(const char *path)
{
	size_t n = folder_bytes(path);
	return n ? memory_text(path, n) : memory_text(".", 1);
}

/* The file that NAME leads to through symbolic links, whether it exists or not; NULL: a circle. */
static char *follow_links(const char *name)
{
	char *path = memory_text(name, strlen(name)), target[PATH_MAX];
	ssize_t n = 0;
	for (int i = 0; i < LINKS_MOST; i++) {
		n = readlink(path, target, sizeof target - 1);
		if (n < 0)
			return path;
		struct str next = {0};
		if (*target != '/')
			str_add_bytes(&next, path, folder_bytes(path));
		str_add_bytes(&next, target, (size_t)n);
		free(path);
		path = next.text;
	}
	free(path);
	errno = ELOOP;
	return NULL;
}

/* `folder/.NAME.zprof-TAIL`, with as much of NAME as a file's name has room for. */
static char *hidden_name(const char *path, const char *tail)
{
	struct str name = {0};
	size_t n = folder_bytes(path), room = NAME_MAX - 1 - strlen(MARK) - strlen(tail);
	str_add_bytes(&name, path, n);
	str_add(&name, ".%.*s" MARK "%s", (int)room, path + n, tail);
	return name.text;
}

/* ---- beginning */

static int open_unnamed(const char *path)
{
	char *folder = folder_of(path);
	int fd =
	    access("/proc/self/fd", X_OK) ? -1 : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(folder);
	return fd;
}

static int open_hidden(struct replacement *r)
{
	r->hidden = hidden_name(r->path, "XXXXXX");
	int fd = mkostemp(r->hidden, O_CLOEXEC);
	if (fd < 0) {
		free(r->hidden);
		r->hidden = NULL;
	}
	return fd;
}

static bool open_new(struct replacement *r, mode_t mode)
{
	r->mode = mode;
	int fd = open_unnamed(r->path);
	if (fd < 0)
		fd = open_hidden(r);
	r->to = fd < 0 ? NULL : fdopen(fd, "w+b");
	return r->to;
}

/* Whether the file is stdout (`/dev/stdout`): the shell and others write there, too, so it must
 * stay. */
static bool is_stdout(const struct replacement *r)
{
	struct stat out;
	return r->exists && !fstat(STDOUT_FILENO, &out) && out.st_dev == r->old.st_dev &&
	       out.st_ino == r->old.st_ino;
}

static bool open_for(struct replacement *r, mode_t mode)
{
	r->exists = !stat(r->name, &r->old);
	if (!r->exists && errno != ENOENT)
		return false;
	if (r->exists && S_ISDIR(r->old.st_mode)) {
		errno = EISDIR;
		return false;
	}
	if (is_stdout(r)) {
		r->to = stdout;
		return true;
	}
	if (r->exists && !S_ISREG(r->old.st_mode)) {
		r->to = fopen(r->name, "we");
		return r->to;
	}
	r->path = follow_links(r->name);
	return r->path && (!r->exists || !access(r->path, W_OK)) && open_new(r, mode);
}

bool replace_begin(struct replacement *r, const char *name, mode_t mode, struct str *err)
{
	*r = (struct replacement){.name = name, .to = name ? NULL : stdout};
	if (r->to || open_for(r, mode))
		return true;
	bool may_write = r->path && errno == EACCES && r->exists && !access(r->path, W_OK);
	str_fail(err, "cannot write '%s': %s%s", name, strerror(may_write ? EACCES : errno),
		 may_write ? " (no new file can be made in its folder)" : "");
	free(r->path);
	return false;
}

/* ---- ending */

/* Gives the new file one attribute of the old file. True also if the new file already has it. */
static bool keep_attribute(int fd, const char *name, const void *value, size_t n)
{
	if (!fsetxattr(fd, name, value, n, 0))
		return true;
	int why = errno;
	char *has = memory_zeroed(n + 1, 1);
	bool same = fgetxattr(fd, name, has, n + 1) == (ssize_t)n && !memcmp(has, value, n);
	free(has);
	errno = why;
	return same;
}

static bool keep_attributes(const struct replacement *r, int fd)
{
	ssize_t all = listxattr(r->path, NULL, 0);
	char *names = memory_zeroed((size_t)(all > 0 ? all : 0) + 1, 1);
	bool ok = true;
	all = all > 0 ? listxattr(r->path, names, (size_t)all) : 0;
	for (char *name = names; ok && name < names + all; name += strlen(name) + 1) {
		ssize_t n = getxattr(r->path, name, NULL, 0);
		char *value = memory_zeroed((size_t)(n > 0 ? n : 0) + 1, 1);
		n = n > 0 ? getxattr(r->path, name, value, (size_t)n) : n;
		ok = n < 0 || keep_attribute(fd, name, value, (size_t)n);
		free(value);
	}
	free(names);
	return ok;
}

/* Gives a new file its mode. Until then, only its user may read it. */
static bool set_mode(const struct replacement *r, int fd)
{
	mode_t mask = umask(0);
	umask(mask);
	return !fchmod(fd, r->mode & ~mask);
}

/* Gives the new file the old one's owner, mode and attributes. A change of owner removes rights
 * (setuid, capabilities), so the owner comes first. */
static bool keep_what_it_was(const struct replacement *r, int fd, struct str *err)
{
	struct stat new;
	if (!r->exists)
		return set_mode(r, fd) ||
		       str_fail(err, "cannot write '%s': %s", r->name, strerror(errno));
	if (fstat(fd, &new))
		return str_fail(err, "cannot write '%s': %s", r->name, strerror(errno));
	if ((new.st_uid != r->old.st_uid || new.st_gid != r->old.st_gid) &&
	    fchown(fd, r->old.st_uid, r->old.st_gid))
		return str_fail(err, "cannot replace '%s': its owner could not be kept (%s)",
				r->name, strerror(errno));
	if (fchmod(fd, r->old.st_mode & 07777) || !keep_attributes(r, fd))
		return str_fail(
		    err, "cannot replace '%s': its mode or attributes could not be kept (%s)",
		    r->name, strerror(errno));
	return true;
}

/* Links the file without a name to NAME, which must not exist. */
static bool link_unnamed(int fd, const char *name)
{
	char from[40];
	snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
	return !linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Gives the unnamed file its hidden name. A file of that name can only be left from a killed
 * process with our number, so it is removed. */
static bool name_hidden(struct replacement *r, int fd)
{
	char tail[16];
	snprintf(tail, sizeof tail, "%d", (int)getpid());
	r->hidden = hidden_name(r->path, tail);
	return link_unnamed(fd, r->hidden) ||
	       (errno == EEXIST && !unlink(r->hidden) && link_unnamed(fd, r->hidden));
}

/* Renames without replacing a file, if the file system can do that. */
static bool rename_new(const char *from, const char *to)
{
	return !renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) ||
	       (errno == EINVAL && access(to, F_OK) && !rename(from, to));
}

static bool give_name(struct replacement *r, int fd)
{
	if (!r->exists)
		return r->hidden ? rename_new(r->hidden, r->path) : link_unnamed(fd, r->path);
	return (r->hidden || name_hidden(r, fd)) && !rename(r->hidden, r->path);
}

/* Syncs the folder: a name is on the disk only when its folder is. */
static void sync_folder(const char *path)
{
	char *folder = folder_of(path);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(folder);
}

static void forget(struct replacement *r)
{
	free(r->path);
	free(r->hidden);
	*r = (struct replacement){0};
}

static bool end_stream(struct replacement *r, struct str *err)
{
	bool ok = !ferror(r->to) && !fflush(r->to);
	if (r->to != stdout)
		ok = !fclose(r->to) && ok;
	if (!ok)
		str_fail(err, "cannot write '%s': %s", r->name ? r->name : "(stdout)",
			 strerror(errno));
	forget(r);
	return ok;
}

bool replace_end(struct replacement *r, struct str *err)
{
	if (!r->path)
		return end_stream(r, err);
	int fd = fileno(r->to);
	bool written = !ferror(r->to) && !fflush(r->to);
	if (!written)
		str_fail(err, "cannot write '%s': %s", r->name, strerror(errno));
	bool ok = written && keep_what_it_was(r, fd, err);
	if (ok && (fsync(fd) || !give_name(r, fd)))
		ok = str_fail(err, "cannot write '%s': %s", r->name,
			      errno == EEXIST ? "another process has made it meanwhile"
					      : strerror(errno));
	if (!ok) {
		replace_cancel(r);
		return false;
	}
	fclose(r->to);
	sync_folder(r->path);
	forget(r);
	return true;
}

void replace_cancel(struct replacement *r)
{
	if (r->hidden)
		unlink(r->hidden);
	if (r->to && r->to != stdout)
		fclose(r->to);
	forget(r);
}
