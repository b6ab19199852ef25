/* SPDX-License-Identifier: MIT */
/* spool.c - see spool.h. */
#include "report/fleet/spool.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/replace.h"

#define SUFFIX    ".push"
#define FIRST     "zprof-push 1\n"
#define LINE_MOST 65536

static bool is_message(const char *name)
{
	size_t n = strlen(name), suffix = strlen(SUFFIX);
	return n > suffix && !strcmp(name + n - suffix, SUFFIX) && !replace_is_hidden(name);
}

/* The number of messages. OLDEST, if not NULL, becomes the name of the first. */
static size_t list(const struct spool *s, struct str *oldest)
{
	size_t count = 0;
	DIR *folder = opendir(s->folder);
	for (struct dirent *e; folder && (e = readdir(folder));) {
		if (!is_message(e->d_name))
			continue;
		count++;
		if (oldest && (!oldest->used || strcmp(e->d_name, oldest->text) < 0)) {
			str_clear(oldest);
			str_add(oldest, "%s", e->d_name);
		}
	}
	if (folder)
		closedir(folder);
	return count;
}

size_t spool_count(const struct spool *s)
{
	return list(s, NULL);
}

static bool oldest_path(const struct spool *s, struct str *path)
{
	struct str name = {0};
	size_t count = list(s, &name);
	str_clear(path);
	if (count)
		str_add(path, "%s/%s", s->folder, name.text);
	str_free(&name);
	return count > 0;
}

bool spool_open(struct spool *s, const char *folder, size_t most, struct str *err)
{
	*s = (struct spool){.most = most};
	if (mkdir(folder, 0700) && errno != EEXIST)
		return str_fail(err, "cannot make the folder '%s': %s", folder, strerror(errno));
	if (access(folder, R_OK | W_OK | X_OK))
		return str_fail(err, "cannot keep profiles in '%s': %s", folder, strerror(errno));
	s->folder = memory_text(folder, strlen(folder));
	return true;
}

void spool_close(struct spool *s)
{
	free(s->folder);
	*s = (struct spool){0};
}

static void drop_oldest(struct spool *s)
{
	struct str path = {0};
	while (spool_count(s) > s->most && oldest_path(s, &path)) {
		if (unlink(path.text))
			break;
		s->dropped++;
	}
	str_free(&path);
}

bool spool_put(struct spool *s, const struct message *m, struct str *err)
{
	struct replacement to;
	struct str path = {0};
	str_add(&path, "%s/%011lld.%06u" SUFFIX, s->folder, (long long)time(NULL), s->number++);
	bool ok = replace_begin(&to, path.text, 0600, err);
	if (ok) {
		fprintf(to.to, FIRST "%s\n%s\n", m->query, m->boundary);
		fwrite(m->body, 1, m->bytes, to.to);
		ok = replace_end(&to, err);
	}
	str_free(&path);
	drop_oldest(s);
	return ok;
}

/* A line, without its end; NULL: there is none. */
static char *read_line(FILE *from)
{
	char *line = memory_zeroed(LINE_MOST, 1);
	if (fgets(line, LINE_MOST, from)) {
		size_t n = strcspn(line, "\n");
		if (line[n]) {
			line[n] = 0;
			return line;
		}
	}
	free(line);
	return NULL;
}

static bool read_body(struct message *m, FILE *from)
{
	struct stat st;
	long at = ftell(from);
	if (at < 0 || fstat(fileno(from), &st) || st.st_size <= at)
		return false;
	m->bytes = (size_t)(st.st_size - at);
	m->body = memory_resize(NULL, m->bytes, 1);
	return fread(m->body, 1, m->bytes, from) == m->bytes;
}

static bool read_message(struct message *m, const char *path)
{
	char first[sizeof FIRST] = "";
	FILE *from = fopen(path, "rb");
	*m = (struct message){0};
	bool ok = from && fread(first, 1, strlen(FIRST), from) == strlen(FIRST) &&
		  !strcmp(first, FIRST) && (m->query = read_line(from)) != NULL &&
		  (m->boundary = read_line(from)) != NULL && read_body(m, from);
	if (from)
		fclose(from);
	if (!ok)
		message_free(m);
	return ok;
}

bool spool_oldest(struct spool *s, struct message *m, struct str *path)
{
	while (oldest_path(s, path)) {
		if (read_message(m, path->text))
			return true;
		if (unlink(path->text))
			return false;
		s->dropped++;
	}
	return false;
}

void spool_remove(const char *path)
{
	unlink(path);
}
