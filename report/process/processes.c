/* SPDX-License-Identifier: MIT */
/* processes.c - see processes.h. */
#define _GNU_SOURCE
#include "report/process/processes.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/disk/file_kind.h"
#include "report/core/names/zones.h"

/* Calls TAKE with the path of each file that PID has mapped shared and writable, until TAKE returns
 * true. False if the process is gone, or is another user's. */
static bool each_shared(pid_t pid, bool (*take)(const char *path, void *context), void *context)
{
	char name[64], *line = NULL;
	size_t room = 0;
	bool done = false;
	snprintf(name, sizeof name, "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(name, "re");
	if (!maps)
		return false;
	while (!done && getline(&line, &room, maps) > 0) {
		char *access = strchr(line, ' '), *path = strchr(line, '/');
		line[strcspn(line, "\n")] = 0;
		if (access && path && !strncmp(access, " rw-s ", 6))
			done = take(path, context);
	}
	free(line);
	fclose(maps);
	return true;
}

struct search {
	pid_t pid;
	char *path;
	struct zprof_header header;
};

static bool take_profile(const char *path, void *context)
{
	struct search *s = context;
	bool yes = file_header(path, &s->header) && s->header.pid == (uint32_t)s->pid;
	if (yes)
		s->path = memory_text(path, strlen(path));
	return yes;
}

char *processes_profile(pid_t pid, struct str *err)
{
	struct search s = {.pid = pid};
	errno = 0;
	if (!each_shared(pid, take_profile, &s))
		str_fail(err,
			 errno == EACCES
			     ? "process %d is another user's: its profile cannot be found"
			     : "there is no process %d",
			 (int)pid);
	else if (!s.path)
		str_fail(err,
			 "process %d is not being recorded, or has not entered a function yet; "
			 "'zprof record PROGRAM' records one",
			 (int)pid);
	return s.path;
}

struct identity {
	dev_t device;
	ino_t inode;
	bool found;
};

static bool take_same(const char *path, void *context)
{
	struct identity *wanted = context;
	struct stat st;
	wanted->found =
	    !stat(path, &st) && st.st_dev == wanted->device && st.st_ino == wanted->inode;
	return wanted->found;
}

bool processes_maps(pid_t pid, const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return false;
	struct identity wanted = {st.st_dev, st.st_ino, false};
	return each_shared(pid, take_same, &wanted) && wanted.found;
}

/* The arguments of PID, as a line, without those that are empty at its end (profile_command()). */
static char *command_of(pid_t pid)
{
	char name[64], bytes[4096];
	snprintf(name, sizeof name, "/proc/%d/cmdline", (int)pid);
	FILE *f = fopen(name, "re");
	size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
	if (f)
		fclose(f);
	while (n && (!bytes[n - 1] || bytes[n - 1] == ' '))
		n--;
	for (size_t i = 0; i < n; i++)
		if (!bytes[i])
			bytes[i] = ' ';
	return memory_text(bytes, n);
}

static void free_one(struct recorded *r)
{
	free(r->path);
	free(r->name);
	free(r->command);
}

static void add(struct processes *p, pid_t pid, const char *wanted)
{
	struct search s = {.pid = pid};
	each_shared(pid, take_profile, &s);
	if (!s.path)
		return;
	struct recorded *r = memory_next(p->list, p->count, p->room);
	*r = (struct recorded){.pid = pid,
			       .path = s.path,
			       .command = command_of(pid),
			       .start_realtime_ns = s.header.start_realtime_ns};
	memcpy(r->run_id, s.header.run_id, sizeof r->run_id);
	char *first = memory_text(r->command, strcspn(r->command, " "));
	const char *name = zones_base_name(first);
	size_t bytes = strlen(name);
	r->name = memory_text(name, bytes && name[bytes - 1] == ':' ? bytes - 1 : bytes);
	free(first);
	if (wanted && strcmp(r->name, wanted) != 0)
		free_one(&p->list[--p->count]);
}

static int youngest_first(const void *left, const void *right)
{
	const struct recorded *a = left, *b = right;
	return memory_order(b->start_realtime_ns, a->start_realtime_ns)
		   ?: memory_order(b->pid, a->pid);
}

void processes_find(struct processes *p, const char *name)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	*p = (struct processes){0};
	while (d && (e = readdir(d))) {
		struct stat st;
		if (*e->d_name < '1' || *e->d_name > '9' || fstatat(dirfd(d), e->d_name, &st, 0))
			continue;
		if (st.st_uid == geteuid() || !geteuid())
			add(p, (pid_t)atoi(e->d_name), name);
	}
	if (d)
		closedir(d);
	memory_sort(p->list, p->count, youngest_first);
}

void processes_free(struct processes *p)
{
	for (size_t i = 0; i < p->count; i++)
		free_one(&p->list[i]);
	free(p->list);
	*p = (struct processes){0};
}
