/* SPDX-License-Identifier: MIT */
/* path.c - see path.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "preload/profile/path.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void add_name_part(struct text *t, const char *s)
{
	for (; *s && *s != '.'; s++)
		text_char(t, *s == '/' ? '_' : *s);
}

static void add_program(struct text *t)
{
	char *path = sys_memory(4096);
	const char *name = path;
	long n, i;

	if (!path)
		return;
	n = sys4(SYS_readlinkat, AT_FDCWD, SYS_SELF "exe", path, 4095);
	for (i = 0; i < n; i++)
		if (path[i] == '/')
			name = path + i + 1;
	text_add(t, name);
	sys_memory_free(path, 4096);
}

static void expand(struct text *t, const char *pattern)
{
	char host[65];

	for (; *pattern; pattern++) {
		if (*pattern != '%') {
			text_char(t, *pattern);
			continue;
		}
		switch (*++pattern) {
		case 'p':
			text_number(t, (uint64_t)sys0(SYS_getpid));
			break;
		case 'e':
			add_program(t);
			break;
		case 'h':
			environment_host(host);
			add_name_part(t, host);
			break;
		case 'r':
			text_add(t, environment_rank());
			break;
		case '%':
			text_char(t, '%');
			break;
		default:
			text_char(t, '%');
			pattern--;
		}
	}
}

/* Begins a path with a folder, where the pattern names none. */
static bool begin_path(struct file *file, const char *pattern, const struct file *parents)
{
	long n;

	if (*pattern == '/')
		return true;
	if (parents) {
		memcpy(file->path, parents->path, parents->folder_bytes);
		file->folder_bytes = parents->folder_bytes;
		return true;
	}
	n = sys2(SYS_getcwd, file->path, 4096);
	if (SYS_FAILED(n) || file->path[0] != '/') {
		text_complain("cannot tell the current folder, needed for output", pattern,
			      n < 0 ? (int)-n : 0,
			      "give output=/an/absolute/path; running unprofiled");
		return false;
	}
	file->folder_bytes = (uint32_t)strlen(file->path);
	if (file->folder_bytes > 1)
		file->path[file->folder_bytes++] = '/';
	return true;
}

bool path_make(struct file *file, const char *pattern, const struct file *parents)
{
	struct text t = {.at = file->path, .room = sizeof(file->path) - 16};

	if (!begin_path(file, pattern, parents))
		return false;
	t.used = file->folder_bytes;
	expand(&t, pattern);
	if (t.cut)
		text_complain("the output's path is too long", pattern, 0,
			      "give a shorter output=; running unprofiled");
	return !t.cut;
}

/* Creates the file under its name: never over a file that exists, never through a symlink. */
static long create_here(const struct file *file)
{
	return sys4(SYS_openat, AT_FDCWD, file->path,
		    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Gives the unnamed file its name; a link never replaces a file. */
static long link_here(const struct file *file)
{
	char from[40];
	struct text t;

	text_init(&t, from, sizeof(from));
	text_add(&t, SYS_SELF "fd/");
	text_number(&t, (uint64_t)(file->unnamed - 1));
	return sys6(SYS_linkat, AT_FDCWD, from, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW, 0);
}

/* Tries the path, then the path with `.2`, `.3` ..., while there is a file of that name. */
static long first_free_name(struct file *file, long (*attempt)(const struct file *))
{
	size_t stem = strlen(file->path);
	long r = -EEXIST;
	uint64_t n;

	for (n = 1; n < 100000 && r == -EEXIST; n++) {
		if (n > 1) {
			struct text t = {
			    .at = file->path, .room = sizeof(file->path), .used = stem};

			text_char(&t, '.');
			text_number(&t, n);
		}
		r = attempt(file);
	}
	if (SYS_FAILED(r))
		file->path[stem] = 0;
	return r;
}

/*
 * Creates a file in the folder, but without a name: if the process ends before the profile is
 * whole, nothing is left behind. Where the file system knows no such files, or there is no /proc by
 * which to name the file later (a bare chroot), the file has its name from the start.
 */
long path_create(struct file *file)
{
	size_t n = strlen(file->path);
	char cut;
	long fd;

	if (SYS_FAILED(sys3(SYS_faccessat, AT_FDCWD, SYS_SELF "fd", F_OK)))
		return first_free_name(file, create_here);
	while (n > 1 && file->path[n - 1] != '/')
		n--;
	cut = file->path[n];
	file->path[n] = 0;
	fd = sys4(SYS_openat, AT_FDCWD, file->path, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	file->path[n] = cut;
	if (fd == -EOPNOTSUPP || fd == -EISDIR)
		return first_free_name(file, create_here);
	if (!SYS_FAILED(fd))
		file->unnamed = (int32_t)fd + 1;
	return fd;
}

long path_link(struct file *file)
{
	long r;

	if (!file->unnamed)
		return 0;
	r = first_free_name(file, link_here);
	if (SYS_FAILED(r))
		return r;
	sys1(SYS_close, file->unnamed - 1);
	file->unnamed = 0;
	return 0;
}
