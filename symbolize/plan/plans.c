/* SPDX-License-Identifier: MIT */
/* plans.c - see plans.h. */
#include "symbolize/plan/plans.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/plan/planner.h"

#define LARGEST_PLAN_BYTES (UINT64_C(1) << 30)

/* Whether nobody but the user can change what S describes. */
static bool is_own(const struct stat *s)
{
	return s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

/* Prints the folder's name into PATH; makes the folder, and the one above. */
static bool make_folder(char *path, size_t room)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n;
	if (cache && cache[0] == '/')
		n = snprintf(path, room, "%s", cache);
	else if (home && home[0] == '/')
		n = snprintf(path, room, "%s/.cache", home);
	else
		return false;
	if (n < 0 || (size_t)n + sizeof("/zprof") > room)
		return false;
	mkdir(path, 0700);
	memcpy(path + n, "/zprof", sizeof("/zprof"));
	mkdir(path, 0700);
	return true;
}

/* Opens the user's folder of plans; -1 with a notice. PATH becomes its name. */
static int open_folder(char *path, size_t room, const char **notice)
{
	struct stat s;
	*notice = "no folder: neither XDG_CACHE_HOME nor HOME is an absolute path";
	if (!make_folder(path, room))
		return -1;
	*notice =
	    "the user's cache folder cannot be opened: set XDG_CACHE_HOME to a folder that can";
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	*notice =
	    "the folder zprof in the user's cache belongs to somebody else, or others can write there";
	if (fstat(fd, &s) != 0 || !is_own(&s)) {
		close(fd);
		return -1;
	}
	*notice = NULL;
	return fd;
}

static uint64_t changed_ns(const struct stat *s)
{
	return (uint64_t)s->st_mtim.tv_sec * 1000000000u + (uint64_t)s->st_mtim.tv_nsec;
}

/* The name of a module's plan in the folder. */
static void name_plan(const struct module *m, char *name, size_t room)
{
	size_t n = 0;
	for (uint32_t k = 0; k < m->build_id_bytes; k++)
		n += (size_t)snprintf(name + n, room - n, "%02x", m->build_id[k]);
	if (!n)
		n = (size_t)snprintf(name, room, "file-%jx-%jx-%jx-%" PRIx64,
				     (uintmax_t)m->stat.st_dev, (uintmax_t)m->stat.st_ino,
				     (uintmax_t)m->stat.st_size, changed_ns(&m->stat));
	snprintf(name + n, room - n, ".%u.plan", PLAN_VERSION);
}

/* Whether a checked plan is the module's. */
static bool is_of(const struct plan *plan, const struct module *m)
{
	const struct plan_header *h = plan->header;
	if (m->build_id_bytes)
		return plan_is_of(plan, m->build_id, m->build_id_bytes);
	return !h->build_id_bytes && h->elf_bytes == (uint64_t)m->stat.st_size &&
	       h->elf_device == m->stat.st_dev && h->elf_inode == m->stat.st_ino &&
	       h->elf_changed_ns == changed_ns(&m->stat);
}

static bool read_all(int fd, char *to, size_t bytes)
{
	for (size_t at = 0; at < bytes;) {
		ssize_t n = read(fd, to + at, bytes - at);
		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool write_all(int fd, const char *from, size_t bytes)
{
	for (size_t at = 0; at < bytes;) {
		ssize_t n = write(fd, from + at, bytes - at);
		if (n < 0 && errno != EINTR)
			return false;
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Reads the plan NAME of the folder, if that is what it should be. */
static bool load(struct plans_held *held, const struct module *m, int folder, const char *name)
{
	struct stat s;
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool good = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && is_own(&s) && s.st_size > 0 &&
		    (uint64_t)s.st_size <= LARGEST_PLAN_BYTES;
	if (good) {
		held->size = (size_t)s.st_size;
		held->bytes = malloc(held->size);
		good = held->bytes && read_all(fd, held->bytes, held->size) &&
		       plan_check(held->bytes, held->size, &held->plan) && is_of(&held->plan, m);
	}
	close(fd);
	if (!good) {
		free(held->bytes);
		held->bytes = NULL;
	}
	return good;
}

/* Whether a file may be so large (RLIMIT_FSIZE). Whoever writes past this limit is killed. */
static bool may_be_so_large(size_t bytes)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	       bytes <= limit.rlim_cur;
}

/* Writes the plan into a new file of the folder, and gives this file the plan's name. */
static bool keep(const struct plans_held *held, int folder, const char *name)
{
	char other[32];
	if (!may_be_so_large(held->size))
		return false;
	snprintf(other, sizeof(other), ".new.%jd", (intmax_t)getpid());
	unlinkat(folder, other, 0);
	int fd = openat(folder, other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	bool good = write_all(fd, held->bytes, held->size) && fdatasync(fd) == 0;
	good &= close(fd) == 0;
	if (good && renameat(folder, other, folder, name) == 0)
		return true;
	unlinkat(folder, other, 0);
	return false;
}

static const char *make(struct plans_held *held, const char *elf)
{
	const char *error = planner_make(elf, &held->bytes, &held->size);
	if (!error && !plan_check(held->bytes, held->size, &held->plan))
		error = "the plan that was made contradicts itself";
	return error;
}

const char *plans_get(struct plans_held *held, const char *elf, bool anew, const char *instead)
{
	struct module m;
	bool absent;
	char name[PLANS_NAME];
	*held = (struct plans_held){0};
	module_open(&m, elf, &absent);
	int folder = open_folder(held->path, sizeof(held->path), &held->notice);
	if (folder < 0 && instead && strlen(instead) < sizeof(held->path)) {
		strcpy(held->path, instead);
		folder = open(instead, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		held->notice = folder < 0 ? held->notice : NULL;
	}
	name_plan(&m, name, sizeof(name));
	held->low = m.low;
	held->code = m.codes > 0;
	if (folder >= 0)
		held->kept = !anew && !absent && load(held, &m, folder, name);
	module_close(&m);
	const char *error = held->kept ? NULL : make(held, elf);
	if (!error && !held->kept && folder >= 0 && !keep(held, folder, name))
		held->notice = "the plan cannot be written into the user's cache folder";
	size_t used = strlen(held->path);
	if (error || held->notice ||
	    (size_t)snprintf(held->path + used, sizeof(held->path) - used, "/%s", name) >=
		sizeof(held->path) - used)
		held->path[0] = 0;
	if (folder >= 0)
		close(folder);
	if (error)
		plans_free(held);
	return error;
}

bool plans_name(const char *elf, char name[PLANS_NAME])
{
	struct module m;
	bool absent;
	module_open(&m, elf, &absent);
	name_plan(&m, name, PLANS_NAME);
	bool named = m.build_id_bytes > 0;
	module_close(&m);
	return named;
}

void plans_free(struct plans_held *held)
{
	free(held->bytes);
	held->bytes = NULL;
}

const char *plans_why_refused(unsigned refusal)
{
	static const char *const sentences[] = {
#define PLAN_REFUSAL(name, word, sentence) sentence,
#include "preload/displace/plan.def"
	};
	return sentences[refusal];
}

const char *plans_why_none(unsigned module)
{
	static const char *const sentences[] = {
#define PLAN_MODULE(name, word, sentence) sentence,
#include "preload/displace/plan.def"
	};
	return sentences[module];
}
