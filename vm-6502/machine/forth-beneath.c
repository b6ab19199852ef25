/* SPDX-License-Identifier: MIT */
/* forth-beneath: see the header. */
#define _GNU_SOURCE
#include "vm-6502/machine/forth-beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DEEPEST = 64, MOST_LINKS = 40 };

/*
 * A walk keeps open the folders that it has passed; the first is the one to stay beneath. `..` goes
 * back to the folder passed before, never to the one that the file system names. A link is read,
 * and its text is walked. So no rename can lead out at any moment.
 */
struct walk {
	int folder[DEEPEST];
	int depth; /* index of the folder that we are in */
	int links; /* links followed so far */
	char rest[PATH_MAX];
};

static bool fail(int why)
{
	errno = why;
	return false;
}

static bool up(struct walk *w)
{
	if (!w->depth)
		return fail(EXDEV);
	close(w->folder[w->depth--]);
	return true;
}

static bool down(struct walk *w, const char *part)
{
	int fd;

	if (w->depth + 1 == DEEPEST)
		return fail(ENAMETOOLONG);
	fd = openat(w->folder[w->depth], part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	w->folder[++w->depth] = fd;
	return true;
}

/* Follows a link: its text replaces it before the rest of the name. */
static bool follow(struct walk *w, const char *target, const char *rest)
{
	char name[PATH_MAX];

	if (*target == '/')
		return fail(EXDEV);
	if (++w->links > MOST_LINKS)
		return fail(ELOOP);
	if (snprintf(name, sizeof name, "%s%s", target, rest) >= (int)sizeof name)
		return fail(ENAMETOOLONG);
	strcpy(w->rest, name);
	return true;
}

/* Follows the first part of the name. False: it was the last one, and *fd is the result, or -1. */
static bool step(struct walk *w, int flags, int *fd)
{
	char part[NAME_MAX + 1], target[PATH_MAX];
	const char *from = w->rest + strspn(w->rest, "/");
	size_t n = strcspn(from, "/");
	bool dots = n <= 2 && strspn(from, ".") >= n;
	int at = w->folder[w->depth];
	ssize_t length;

	*fd = -1;
	if (n >= sizeof part)
		return fail(ENAMETOOLONG);
	snprintf(part, sizeof part, "%.*s", (int)n, from);
	length = dots ? -1 : readlinkat(at, part, target, sizeof target - 1);
	if (length >= 0) {
		target[length] = 0;
		return follow(w, target, from + n);
	}
	if (!n || (!dots && !from[n])) {
		*fd = openat(at, n ? part : ".", flags | O_NOFOLLOW | O_CLOEXEC, 0666);
		return false;
	}
	memmove(w->rest, from + n, strlen(from + n) + 1);
	return !dots ? down(w, part) : n == 1 || up(w);
}

static int walk(int folder, const char *name, int flags)
{
	struct walk w = {.folder = {folder}};
	int fd = -1, why;

	if (!*name || *name == '/' || strlen(name) >= sizeof w.rest) {
		errno = !*name ? ENOENT : *name == '/' ? EXDEV : ENAMETOOLONG;
		return -1;
	}
	strcpy(w.rest, name);
	while (step(&w, flags, &fd))
		;
	why = errno;
	while (w.depth)
		up(&w);
	errno = why;
	return fd;
}

int beneath_open(int folder, const char *name, int flags)
{
	struct open_how how = {
	    .flags = flags | O_CLOEXEC,
	    .mode = flags & O_CREAT ? 0666 : 0,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int fd = syscall(SYS_openat2, folder, name, &how, sizeof how);

	/* A sandbox may give either error for a call that it does not know. */
	return fd < 0 && (errno == ENOSYS || errno == EPERM) ? walk(folder, name, flags) : fd;
}

int beneath_parent(int folder, const char *name, const char **last)
{
	const char *slash = strrchr(name, '/');
	char parent[PATH_MAX] = ".";

	*last = slash ? slash + 1 : name;
	if (name[0] == '/' || !**last || strcmp(*last, ".") == 0 || strcmp(*last, "..") == 0 ||
	    strlen(name) >= sizeof parent) {
		errno = EINVAL;
		return -1;
	}
	if (slash)
		snprintf(parent, sizeof parent, "%.*s", (int)(slash - name), name);
	return beneath_open(folder, parent, O_PATH | O_DIRECTORY);
}
