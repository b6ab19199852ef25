/* SPDX-License-Identifier: MIT */
/*
 * groups_file.c - reads groups and metrics from an INI file with libinih.
 *
 * libinih reads lines of up to 200 bytes. A longer line is given to libinih in pieces, broken at
 * spaces, as continuation lines. libinih then counts pieces, so the line number of each piece is
 * kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/pattern/groups.h"
#include "report/core/base/memory.h"
#include "report/core/read/owner.h"

#define DEFAULT_NAME "zprof.groups"

struct reading {
	struct groups *g;
	struct str *err;
	FILE *file;
	char *line; /* the line that is given out in pieces; line_at: how far it has been */
	size_t line_room, line_at, line_length;
	int line_number, error_line;
	int *piece_lines; /* the line number of each piece */
	size_t piece_count, piece_room;
};

/* The name behind KEYWORD in a section's name; NULL if the section is of another kind. */
static const char *section_name(const char *section, const char *keyword)
{
	size_t n = strlen(keyword);
	if (strncmp(section, keyword, n) || section[n] != ' ')
		return NULL;
	section += n + strspn(section + n, " \t");
	return *section ? section : NULL;
}

/* The next word of *AT, or NULL. "Quoted words" and /regular expressions/ may contain spaces. An
 * expression ends at a slash before a space or the end. */
static char *next_word(const char **at)
{
	const char *start = *at + strspn(*at, " \t\r\n"), *end;
	if (!*start)
		return NULL;
	if (*start == '"') {
		end = strchr(start + 1, '"');
		end = end ? end : start + strlen(start);
		*at = *end ? end + 1 : end;
		return memory_text(start + 1, (size_t)(end - start - 1));
	}
	end = start + strcspn(start, " \t\r\n");
	if (*start == '/')
		for (const char *slash = strchr(start + 1, '/'); slash;
		     slash = strchr(slash + 1, '/'))
			if (!slash[1] || strchr(" \t\r\n", slash[1])) {
				end = slash + 1;
				break;
			}
	*at = end;
	return memory_text(start, (size_t)(end - start));
}

static bool fail(struct reading *r, const char *format, const char *a, const char *b)
{
	if (!r->error_line) {
		r->error_line = r->line_number;
		str_clear(r->err);
		str_add(r->err, format, a, b);
	}
	return false;
}

static struct group *find_or_add_group(struct groups *g, const char *name)
{
	uint32_t found = groups_find(g, name);
	if (found != GROUP_NONE)
		return &g->list[found];
	struct group *new = memory_next(g->list, g->count, g->room);
	*new = (struct group){.name = memory_text(name, strlen(name)), .parent = GROUP_NONE};
	return new;
}

static bool group_line(struct reading *r, const char *name, const char *key, const char *value)
{
	static const struct {
		const char *key;
		enum pattern_of of;
	} keys[] = {{"func", PATTERN_FUNC},
		    {"file", PATTERN_FILE},
		    {"module", PATTERN_MODULE},
		    {"addr", PATTERN_ADDR}};
	struct group *g = find_or_add_group(r->g, name);
	if (!strcmp(key, "parent")) {
		free(g->parent_name);
		g->parent_name = memory_text(value, strlen(value));
		return true;
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (strcmp(key, keys[i].key))
			continue;
		struct str why = {0};
		char *word;
		bool ok = true;
		while (ok && (word = next_word(&value))) {
			ok = pattern_list_add(&g->patterns, keys[i].of, word, &why);
			free(word);
		}
		if (!ok)
			fail(r, "%s%s", str_text(&why), "");
		str_free(&why);
		return ok;
	}
	return fail(r,
		    "unknown key '%s' in group '%s'; "
		    "the keys are func, file, module, addr and parent",
		    key, name);
}

static bool metric_line(struct reading *r, const char *name, const char *key, const char *value)
{
	struct groups *g = r->g;
	struct metric *m = NULL;
	if (strcmp(key, "groups"))
		return fail(r, "unknown key '%s' in metric '%s'; its only key is groups", key,
			    name);
	for (size_t i = 0; i < g->metric_count; i++)
		if (!strcmp(g->metrics[i].name, name))
			m = &g->metrics[i];
	if (!m) {
		m = memory_next(g->metrics, g->metric_count, g->metric_room);
		*m = (struct metric){.name = memory_text(name, strlen(name))};
	}
	for (char *word; (word = next_word(&value));)
		*memory_next(m->group_names, m->group_count, m->group_room) = word;
	return true;
}

static int on_line(void *context, const char *section, const char *key, const char *value)
{
	struct reading *r = context;
	const char *group = section_name(section, "group");
	const char *metric = section_name(section, "metric");
	if (group)
		return group_line(r, group, key, value);
	if (metric)
		return metric_line(r, metric, key, value);
	return fail(r, "section '[%s]' is neither '[group NAME]' nor '[metric NAME]'%s", section,
		    "");
}

/* Like fgets(), for libinih: returns a line, or a piece of a long line with a space before it. */
static char *next_piece(char *to, int room, void *context)
{
	struct reading *r = context;
	size_t most = (size_t)room - 3;
	bool again = r->line_at < r->line_length;
	if (!again) {
		ssize_t n = getline(&r->line, &r->line_room, r->file);
		if (n <= 0)
			return NULL;
		r->line_length = (size_t)n;
		r->line_at = 0;
		r->line_number++;
	}
	*memory_next(r->piece_lines, r->piece_count, r->piece_room) = r->line_number;
	size_t n = r->line_length - r->line_at;
	if (n > most) {
		size_t cut = most;
		while (cut && !strchr(" \t", r->line[r->line_at + cut]))
			cut--;
		n = cut ? cut : most;
	}
	to[0] = ' ';
	memcpy(to + again, r->line + r->line_at, n);
	r->line_at += n;
	bool whole = r->line_at == r->line_length;
	memcpy(to + again + n, whole ? "" : "\n", whole ? 1 : 2);
	return to;
}

static bool link_parents(struct groups *g, const char *path, struct str *err)
{
	for (size_t i = 0; i < g->count; i++) {
		struct group *one = &g->list[i];
		if (!one->parent_name)
			continue;
		one->parent = groups_find(g, one->parent_name);
		if (one->parent == GROUP_NONE)
			return str_fail(
			    err, "'%s': group '%s' has the parent '%s', which is not a group", path,
			    one->name, one->parent_name);
	}
	for (size_t i = 0; i < g->count; i++) {
		size_t steps = 0;
		for (uint32_t at = (uint32_t)i; at != GROUP_NONE; at = g->list[at].parent)
			if (steps++ > g->count)
				return str_fail(err, "'%s': group '%s' is nested in itself", path,
						g->list[i].name);
	}
	return true;
}

static bool check_metrics(const struct groups *g, const char *path, struct str *err)
{
	for (size_t i = 0; i < g->metric_count; i++)
		for (size_t k = 0; k < g->metrics[i].group_count; k++)
			if (groups_find(g, g->metrics[i].group_names[k]) == GROUP_NONE)
				return str_fail(
				    err, "'%s': metric '%s' lists '%s', which is not a group", path,
				    g->metrics[i].name, g->metrics[i].group_names[k]);
	return true;
}

/* Opens the file. A file that the user named may be a pipe. The default file must be a regular
 * file, so that opening it never waits. NULL with ERR. */
static FILE *open_file(const char *name, bool named, bool anyone, struct str *err)
{
	struct stat st;
	int fd = open(name, O_RDONLY | O_CLOEXEC | (named ? 0 : O_NONBLOCK));
	FILE *file = NULL;
	if (fd < 0 || fstat(fd, &st))
		str_fail(err, "cannot open '%s': %s", name, strerror(errno));
	else if (!named && !S_ISREG(st.st_mode))
		str_fail(err, "cannot read '%s': it is not a regular file", name);
	else if (owner_check(&st, anyone, name, err))
		file = fdopen(fd, "r");
	if (!file && fd >= 0)
		close(fd);
	return file;
}

bool groups_load(struct groups *g, const char *path, bool anyone, struct str *err)
{
	const char *name = path ? path : DEFAULT_NAME;
	struct reading r = {.g = g, .err = err};
	*g = (struct groups){0};
	if (!path && access(name, F_OK) && errno == ENOENT)
		return true;
	r.file = open_file(name, path, anyone, err);
	if (!r.file)
		return false;
	int line = ini_parse_stream(next_piece, &r, on_line, &r);
	fclose(r.file);
	free(r.line);
	if (line > 0 && (size_t)line <= r.piece_count)
		line = r.piece_lines[line - 1];
	free(r.piece_lines);
	bool ok = !line && !r.error_line;
	if (!ok) {
		struct str why = {0};
		str_add(&why, "'%s' line %d: %s", name, r.error_line ? r.error_line : line,
			r.error_line ? str_text(err) : "neither '[section]' nor 'key = value'");
		str_fail(err, "%s", str_text(&why));
		str_free(&why);
	}
	ok = ok && link_parents(g, name, err) && check_metrics(g, name, err);
	if (!ok)
		groups_free(g);
	return ok;
}
