/* SPDX-License-Identifier: MIT */
/* any_plans.c - see any_plans.h. */
#define _GNU_SOURCE
#include "report/record/any_plans.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/record/any_files.h"
#include "symbolize/plan/plans.h"

static int open_in(const char *folder, const char *name, int flags)
{
	struct str path = {0};
	str_add(&path, "%s/%s", folder, name);
	int fd = open(path.text, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	str_free(&path);
	return fd;
}

static bool write_file(const char *folder, const char *name, const char *text)
{
	int fd = open_in(folder, name, O_WRONLY | O_CREAT | O_APPEND);
	ssize_t n = (ssize_t)strlen(text);
	bool done = fd >= 0 && write(fd, text, (size_t)n) == n;
	if (fd >= 0)
		close(fd);
	return done;
}

bool any_plans_begin(const char *folder, const char *libs)
{
	return write_file(folder, "left", "") && write_file(folder, "run", libs ? libs : "");
}

void any_plans_open(struct any_plans *p, const char *folder)
{
	struct stat st;
	*p = (struct any_plans){.lock = folder ? open_in(folder, "run", O_RDONLY) : -1};
	if (p->lock < 0 || fstat(p->lock, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	p->folder = folder;
	p->libs = memory_zeroed((size_t)st.st_size + 1, 1);
	if (pread(p->lock, p->libs, (size_t)st.st_size, 0) != st.st_size)
		*p->libs = 0;
}

void any_plans_close(struct any_plans *p)
{
	free(p->libs);
	if (p->lock >= 0)
		close(p->lock);
}

bool any_plans_name(const struct any_plans *p, const char *file)
{
	const char *name = strrchr(file, '/') + 1;
	char *list = p->libs ? memory_text(p->libs, strlen(p->libs)) : NULL;
	char *rest = list, *pattern;
	bool named = false;
	while (list && !named && (pattern = strsep(&rest, " ")))
		named = fnmatch(pattern, name, 0) == 0;
	free(list);
	return named;
}

/* ---- adding */

static void leave(const struct any_plans *p, struct str *line)
{
	str_add(line, "\n");
	write_file(p->folder, "left", line->text);
	str_free(line);
}

/* Makes the link NAME of the folder. False: errno says why not. */
static bool link_to(const struct any_plans *p, const char *name, const char *target)
{
	struct str path = {0};
	str_add(&path, "%s/%s", p->folder, name);
	bool made =
	    !strcmp(target, path.text) || symlink(target, path.text) == 0 || errno == EEXIST;
	int error = errno;
	str_free(&path);
	errno = error;
	return made;
}

/*
 * Whether the folder knows the file already, and the plan is still where the link leads to. ANSWER becomes what
 * the folder knows.
 */
static bool is_known(const struct any_plans *p, const char *name, struct str *answer)
{
	struct str path = {0};
	char target[4096];
	str_add(&path, "%s/%s", p->folder, name);
	ssize_t n = readlink(path.text, target, sizeof target);
	bool known = (n > 0 && *target != '/') || !access(path.text, R_OK);
	if (known && n > 0)
		str_add(answer, "%.*s", (int)n, target);
	else if (known)
		str_add(answer, "%s", path.text);
	str_free(&path);
	return known;
}

/* Gets the plan. Gives why there is none that the library could find; NULL: ANSWER is its path. */
static const char *get(const char *file, const char *instead, struct str *answer)
{
	struct plans_held held;
	const char *error = plans_get(&held, file, false, instead);
	if (error)
		return error;
	if (held.plan.header->module != PLAN_MODULE_NONE && held.code)
		error = plans_why_none(held.plan.header->module);
	else if (held.path[0] && held.plan.header->build_id_bytes)
		str_add(answer, "%s", held.path);
	else
		error = held.notice ? held.notice : "the file has no build-id";
	plans_free(&held);
	return error;
}

/* Decides about a file that the folder does not know, and tells why it is not recorded. */
static void decide(const struct any_plans *p, const char *file, struct str *answer)
{
	bool named = any_plans_name(p, file);
	struct str line = {0};
	if (any_is_interpreter(file)) {
		str_add(answer, "-");
		if (named)
			str_add(
			    &line,
			    "'%s' is left as it is: the Lua functions that it runs are recorded",
			    file);
	} else if (any_is_own(file) || (!named && any_is_run_time(file))) {
		str_add(answer, "-");
	} else {
		const char *why = get(file, p->folder, answer);
		if (why) {
			str_add(answer, "?");
			str_add(&line, "functions of '%s' are not recorded: %s", file, why);
		}
	}
	if (p->folder && line.used)
		leave(p, &line);
	str_free(&line);
}

void any_plans_add(const struct any_plans *p, const char *file, struct str *answer)
{
	char name[PLANS_NAME];
	bool named = p->folder && plans_name(file, name);
	if (!strchr(file, '/')) {
		str_add(answer, "-");
		return;
	}
	if (p->folder)
		flock(p->lock, LOCK_EX);
	if (!named || !is_known(p, name, answer)) {
		decide(p, file, answer);
		if (named && !link_to(p, name, answer->text)) {
			struct str line = {0};
			str_add(&line,
				"functions of '%s' are not recorded: cannot make a link in '%s': "
				"%s",
				file, p->folder, strerror(errno));
			leave(p, &line);
		}
	}
	if (p->folder)
		flock(p->lock, LOCK_UN);
}

void any_plans_leave(const struct any_plans *p, const char *file)
{
	char name[PLANS_NAME];
	if (plans_name(file, name))
		link_to(p, name, "-");
}

/* ---- what there is */

void any_plans_count(const char *folder, struct any_sums *sums)
{
	DIR *list = opendir(folder);
	struct dirent *entry;
	*sums = (struct any_sums){0};
	while (list && (entry = readdir(list))) {
		struct plan_header head;
		int fd = strstr(entry->d_name, ".plan")
			     ? openat(dirfd(list), entry->d_name, O_RDONLY | O_CLOEXEC)
			     : -1;
		if (fd < 0)
			continue;
		if (read(fd, &head, sizeof head) == sizeof head) {
			sums->files++;
			sums->functions += head.functions;
			sums->displaced += head.windows;
		}
		close(fd);
	}
	if (list)
		closedir(list);
}

void any_plans_left(const struct any_plans *p, long *from,
		    void (*say_line)(void *context, const char *line), void *context)
{
	int fd = open_in(p->folder, "left", O_RDONLY);
	FILE *left = fd < 0 ? NULL : fdopen(fd, "r");
	struct str said = {0};
	char *line = NULL;
	size_t room = 0;
	if (left && fseek(left, *from, SEEK_SET) == 0)
		while (getline(&line, &room, left) > 0) {
			line[strcspn(line, "\n")] = 0;
			str_clear(&said);
			if (*line != '/')
				str_add(&said, "%s", line);
			else if (any_plans_name(p, line) || !any_is_run_time(line))
				str_add(
				    &said,
				    "functions of '%s' are not recorded: the file has no build-id",
				    line);
			if (said.used)
				say_line(context, said.text);
		}
	free(line);
	str_free(&said);
	if (left) {
		*from = ftell(left);
		fclose(left);
	}
}
