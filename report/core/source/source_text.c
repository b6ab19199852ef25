/* SPDX-License-Identifier: MIT */
/* source_text.c - see source_text.h. */
#include "report/core/source/source_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/text_width.h"
#include "report/core/read/pack.h"

#define TEXT_MOST ((size_t)256 << 20)

static char *read_open(int fd, size_t most)
{
	struct stat s;
	if (fstat(fd, &s))
		return NULL;
	if (!S_ISREG(s.st_mode) || (size_t)s.st_size >= most) {
		errno = S_ISREG(s.st_mode) ? EFBIG : EINVAL;
		return NULL;
	}
	char *text = memory_zeroed((size_t)s.st_size + 1, 1);
	ssize_t got = read(fd, text, (size_t)s.st_size);
	if (got == s.st_size && !memchr(text, 0, (size_t)got))
		return text;
	free(text);
	errno = EINVAL;
	return NULL;
}

char *source_text_read(const char *path, size_t most)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return NULL;
	char *text = read_open(fd, most);
	int why = errno;
	close(fd);
	errno = why;
	return text;
}

char *source_text_told(const struct told *told, const char *path, size_t most)
{
	const struct profile_source *source = told_source(told, path);
	char *text =
	    source && source->fixed.text_bytes < most
		? pack_open(source->packed, source->fixed.packed_bytes, source->fixed.text_bytes)
		: NULL;
	if (text && !memchr(text, 0, source->fixed.text_bytes))
		return text;
	free(text);
	errno = EINVAL;
	return NULL;
}

bool source_text_is_source(const char *path)
{
	static const char *const ends[] = {
	    ".c",   ".h",   ".cc",  ".cpp", ".cxx", ".c++", ".hh",  ".hpp", ".hxx", ".h++", ".inc",
	    ".inl", ".ipp", ".tpp", ".tcc", ".def", ".fs",  ".fth", ".scm", ".l",   ".y",   ".s",
	    ".S",   ".rs",  ".f",   ".f90", ".d",   ".m",   ".mm",  ".lua", ".py",  ".pas", ".adb"};
	const char *slash = strrchr(path, '/'), *end = strrchr(slash ? slash : path, '.');
	for (size_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
		if (!strcmp(end, ends[i]))
			return true;
	return !end && strstr(path, "/include/c++/");
}

/* ---- where it is */

static char *try_replaced(const char *path, const char *rule, const char *equals)
{
	size_t old = (size_t)(equals - rule);
	struct str new = {0};
	char *text = NULL;
	errno = ENOENT;
	if (strncmp(path, rule, old))
		return NULL;
	str_add(&new, "%s%s", equals + 1, path + old);
	text = source_text_read(new.text, TEXT_MOST);
	str_free(&new);
	return text;
}

/* Tries PATH below FOLDER, without ever more of its first parts. The first file that exists ends
 * the search, text or not. */
static char *try_below(const char *path, const char *folder)
{
	char *text = NULL;
	errno = ENOENT;
	for (const char *rest = path; rest && !text && errno == ENOENT; rest = strchr(rest, '/')) {
		struct str new = {0};
		rest += strspn(rest, "/");
		str_add(&new, "%s/%s", folder, rest);
		text = source_text_read(new.text, TEXT_MOST);
		str_free(&new);
	}
	return text;
}

static char *try_compiled(const struct source_place *p)
{
	struct str full = {0};
	errno = ENOENT;
	if (!p->folder || *p->path == '/')
		return NULL;
	str_add(&full, "%s/%s", p->folder, p->path);
	char *text = source_text_read(full.text, TEXT_MOST);
	str_free(&full);
	return text;
}

/* If no text is found, errno rather concerns a file that exists than one that is missing. */
char *source_text_search(const struct source_place *p)
{
	char *text = NULL;
	int why = ENOENT;
	for (size_t i = 0; i < p->search_count && !text; i++) {
		const char *equals = strchr(p->search[i], '=');
		text = equals ? try_replaced(p->path, p->search[i], equals)
			      : try_below(p->path, p->search[i]);
		why = why == ENOENT ? errno : why;
	}
	if (!text)
		text = source_text_told(p->told, p->path, TEXT_MOST);
	if (!text)
		text = try_compiled(p);
	if (!text)
		text = source_text_read(p->path, TEXT_MOST);
	errno = why == ENOENT ? errno : why;
	return text;
}

static void split(struct source_text *s)
{
	size_t room = 0;
	for (char *at = s->text; *at;) {
		char *end = at + strcspn(at, "\n");
		bool more = *end;
		*memory_next(s->lines, s->count, room) = at;
		if (end > at && end[-1] == '\r')
			end[-1] = 0;
		*end = 0;
		at = end + more;
	}
}

void source_text_find(struct source_text *s, const struct source_place *place)
{
	*s = (struct source_text){.text = source_text_search(place)};
	if (s->text)
		split(s);
	else
		str_fail(&s->why, "cannot read it: %s; --source-path says where it is",
			 errno == EINVAL ? "it is not text" : strerror(errno));
}

void source_text_free(struct source_text *s)
{
	free(s->text);
	free(s->lines);
	str_free(&s->why);
	*s = (struct source_text){0};
}

/* ---- columns */

/* Walks to byte number COLUMN of TEXT, or to the end if COLUMN is 0. Adds the passed text to TO, if
 * any. Returns the width. */
static int walk(const char *text, unsigned column, int tab, struct str *to)
{
	int at = 0;
	for (const char *c = text; *c && (!column || c < text + column - 1);) {
		int width;
		size_t bytes = text_width_next(c, &width);
		if (*c == '\t') {
			width = tab - at % tab;
			if (to)
				str_add(to, "%*s", width, "");
		} else if (to) {
			str_add_bytes(to, c, bytes);
		}
		at += width;
		c += bytes;
	}
	return at;
}

void source_text_expand(struct str *to, const char *text, int tab)
{
	walk(text, 0, tab, to);
}

int source_text_column(const char *text, unsigned column, int tab)
{
	return walk(text, column ? column : 1, tab, NULL);
}
