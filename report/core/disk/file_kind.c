/* SPDX-License-Identifier: MIT */
/* file_kind.c - see file_kind.h. */
#define _GNU_SOURCE
#include "report/core/disk/file_kind.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report/core/base/lookup.h"
#include "report/core/read/profile_read.h"

enum file_kind file_kind_of(const struct zprof_header *h)
{
	return h->flags & ZPROF_MERGED     ? FILE_MERGED
	       : h->flags & ZPROF_SNAPSHOT ? FILE_SNAPSHOT
	       : h->flags & ZPROF_COPY     ? FILE_COPY
					   : FILE_RECORDED;
}

const char *file_kind_name(enum file_kind kind)
{
	static const char *const names[] = {
	    [FILE_ABSENT] = "no file",
	    [FILE_FOLDER] = "a folder",
	    [FILE_STREAM] = "a device",
	    [FILE_FOREIGN] = "a file of another kind",
	    [FILE_RECORDED] = "a recorded profile",
	    [FILE_COPY] = "an archived copy of a profile",
	    [FILE_SNAPSHOT] = "a snapshot",
	    [FILE_MERGED] = "a merged profile",
	};
	return names[kind];
}

/* ---- which process */

struct file_process file_process_of(const struct zprof_header *h)
{
	struct file_process p = {
	    .start_realtime_ns = h->start_realtime_ns, .start_ns = h->start_ns, .pid = h->pid};
	memcpy(p.run_id, h->run_id, sizeof p.run_id);
	return p;
}

bool file_is_known(const struct file_process *p)
{
	return p->pid && p->start_realtime_ns;
}

bool file_same_process(const struct file_process *a, const struct file_process *b)
{
	return a->pid == b->pid && a->start_realtime_ns == b->start_realtime_ns &&
	       a->start_ns == b->start_ns && !memcmp(a->run_id, b->run_id, sizeof a->run_id);
}

uint64_t file_process_hash(const struct file_process *p)
{
	return lookup_hash(p->start_realtime_ns ^ p->pid, p->start_ns);
}

/* ---- put aside */

bool file_header(const char *path, struct zprof_header *h)
{
	struct str err = {0};
	bool ok = profile_peek(h, path, &err);
	str_free(&err);
	return ok;
}

bool file_is_aside(const char *path, const struct zprof_header *h)
{
	return h->flags & ZPROF_ASIDE && path[strlen(path) - 1] == '~';
}

/* ---- whether it is live */

/*
 * Whether the process has mapped a file with that inode. The device is not compared, because on
 * some file systems the device in maps differs from the one of stat(). UNKNOWN: its maps may not be
 * read.
 */
enum mapped { MAPPED, NOT_MAPPED, UNKNOWN };

static enum mapped has_mapped(uint32_t pid, ino_t inode)
{
	char path[40], line[8192];
	enum mapped found = NOT_MAPPED;
	snprintf(path, sizeof path, "/proc/%u/maps", pid);
	FILE *maps = fopen(path, "re");
	if (!maps)
		return UNKNOWN;
	while (found == NOT_MAPPED && fgets(line, sizeof line, maps)) {
		unsigned long long number;
		if (sscanf(line, "%*s %*s %*s %*s %llu", &number) == 1 && number == inode)
			found = MAPPED;
	}
	bool failed = ferror(maps);
	fclose(maps);
	return failed ? UNKNOWN : found;
}

#define SLACK_NS 10000000000u /* the clock of the date may have been set by so much meanwhile */

/* In /proc/PID/stat, the start is the 20th word behind the name, which may have blanks; see
 * proc(5). */
double file_process_age(uint32_t pid)
{
	char path[40], text[1024] = "";
	unsigned long long ticks;
	struct timespec now;
	snprintf(path, sizeof path, "/proc/%u/stat", pid);
	FILE *stat = fopen(path, "re");
	size_t n = stat ? fread(text, 1, sizeof text - 1, stat) : 0;
	if (stat)
		fclose(stat);
	text[n] = 0;
	const char *at = strrchr(text, ')');
	for (int word = 0; at && word < 20; word++)
		at = strchr(at + 1, ' ');
	if (!at || sscanf(at, "%llu", &ticks) != 1)
		return -1;
	clock_gettime(CLOCK_BOOTTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
	       (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

/* When a process started, in ns since 1970; 0: unknown. */
static uint64_t start_of(uint32_t pid)
{
	double age = file_process_age(pid);
	struct timespec date;
	clock_gettime(CLOCK_REALTIME, &date);
	return age < 0 ? 0 : (uint64_t)(((double)date.tv_sec - age) * 1e9);
}

bool file_is_live(const char *path, const struct zprof_header *h)
{
	struct stat st;
	enum file_kind kind = file_kind_of(h);
	if (h->flags & ZPROF_FINISHED || !h->pid || h->pid > INT32_MAX ||
	    (kind != FILE_RECORDED && kind != FILE_COPY) || stat(path, &st))
		return false;
	if (kill((pid_t)h->pid, 0) && errno != EPERM)
		return false;
	enum mapped mapped = has_mapped(h->pid, st.st_ino);
	return mapped == MAPPED ||
	       (mapped == UNKNOWN && start_of(h->pid) <= h->start_realtime_ns + SLACK_NS);
}

/* ---- all of it */

void file_look(struct file_facts *f, const char *path)
{
	struct stat st;
	struct zprof_header h;
	*f = (struct file_facts){.kind = FILE_ABSENT};
	if (stat(path, &st))
		return;
	f->device = st.st_dev;
	f->inode = st.st_ino;
	if (S_ISDIR(st.st_mode)) {
		f->kind = FILE_FOLDER;
	} else if (!S_ISREG(st.st_mode)) {
		f->kind = FILE_STREAM;
	} else if (!file_header(path, &h)) {
		f->kind = FILE_FOREIGN;
	} else {
		f->kind = file_kind_of(&h);
		f->process = file_process_of(&h);
		f->live = file_is_live(path, &h);
	}
}
