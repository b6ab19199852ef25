/* SPDX-License-Identifier: MIT */
/*
 * cmd_resolve.c - `zprof resolve`: libzprof.so runs it to record some functions only. Not for
 * people.
 *
 *     zprof resolve [--groups FILE] PATTERN...
 *
 * Reads one line per module: `id start end bias build-id path`. The id is decimal; start, end and
 * bias are hexadecimal without 0x; the build-id is hexadecimal or `-`; the path is the rest of the
 * line.
 *
 * Prints one line per range of addresses (as the program runs) whose functions match: `id start
 * end`. The id is decimal, the rest hexadecimal. Ranges are sorted by start, and touching ones are
 * joined. Patterns are those of the views' --only: a glob, /an extended regular expression/,
 * group:G, file:P or module:P. Prints nothing if it fails.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/commands/command.h"
#include "report/base/memory.h"

struct range {
	uint32_t module;
	uint64_t start, end;
};

struct resolving {
	struct groups groups;
	struct patterns patterns;
	bool with_files; /* a pattern matches source files */
	struct range *ranges;
	size_t count, room;
	/* the current module */
	uint32_t id;
	uint64_t bias;
	const char *path;
};

static bool wanted(const struct resolving *r, const struct pattern_subject *s)
{
	for (size_t i = 0; i < r->patterns.count; i++) {
		const struct pattern *p = &r->patterns.list[i];
		if (p->of == PATTERN_GROUP
			? groups_contains(&r->groups, groups_find(&r->groups, p->text), s, "")
			: pattern_matches(p, s))
			return true;
	}
	return false;
}

static bool on_function(void *context, const struct symbolize_function *f)
{
	struct resolving *r = context;
	struct pattern_subject s = {f->name, f->linkage, f->file ? f->file : "", r->path, f->start};
	if (!wanted(r, &s))
		return true;
	uint64_t start = f->start + r->bias;
	r->ranges = memory_room(r->ranges, r->count, &r->room, sizeof *r->ranges);
	r->ranges[r->count++] = (struct range){r->id, start, start + (f->size ? f->size : 1)};
	return true;
}

static size_t parse_build_id(const char *hex, uint8_t bytes[32])
{
	size_t n = 0;
	unsigned byte;
	while (n < 32 && sscanf(hex + 2 * n, "%2x", &byte) == 1)
		bytes[n++] = (uint8_t)byte;
	return n;
}

static bool on_module(struct resolving *r, struct symbolizer *symbolizer, char *line)
{
	char hex[80];
	uint64_t start, end;
	int at = 0;
	uint8_t build_id[32];
	if (sscanf(line, "%" SCNu32 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %79s %n", &r->id, &start,
		   &end, &r->bias, hex, &at) != 5 ||
	    !at)
		return false;
	r->path = line + at;
	line[strcspn(line, "\n")] = 0;
	size_t n = *hex == '-' ? 0 : parse_build_id(hex, build_id);
	bool vdso = !strcmp(r->path, "[vdso]");
	struct symbolize_module *m =
	    symbolize_add(symbolizer, r->path, build_id, n, vdso ? SYMBOLIZE_VDSO : SYMBOLIZE_FILE);
	if (m)
		symbolize_functions(m, r->with_files, on_function, r);
	return true;
}

static int by_start(const void *left, const void *right)
{
	const struct range *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

static void print_ranges(struct resolving *r)
{
	if (r->count)
		qsort(r->ranges, r->count, sizeof *r->ranges, by_start);
	for (size_t i = 0; i < r->count;) {
		struct range joined = r->ranges[i];
		for (i++; i < r->count && r->ranges[i].start <= joined.end; i++)
			if (r->ranges[i].end > joined.end)
				joined.end = r->ranges[i].end;
		printf("%" PRIu32 " %" PRIx64 " %" PRIx64 "\n", joined.module, joined.start,
		       joined.end);
	}
}

static bool any_file(const struct resolving *r)
{
	for (size_t i = 0; i < r->patterns.count; i++)
		if (r->patterns.list[i].of == PATTERN_FILE)
			return true;
	for (size_t i = 0; i < r->groups.count; i++)
		for (size_t k = 0; k < r->groups.list[i].patterns.count; k++)
			if (r->groups.list[i].patterns.list[k].of == PATTERN_FILE)
				return true;
	return false;
}

static bool prepare(struct resolving *r, const struct options *o, struct str *err)
{
	if (!o->path_count)
		return str_fail(err, "no pattern");
	if (!groups_load(&r->groups, o->groups_path, false, err))
		return false;
	for (size_t i = 0; i < o->path_count; i++) {
		if (!patterns_add_prefixed(&r->patterns, o->paths[i], err))
			return false;
		if (!groups_require(&r->groups, &r->patterns.list[i], err))
			return false;
	}
	r->with_files = any_file(r);
	return true;
}

static bool resolve(struct resolving *r, struct str *err)
{
	struct symbolizer *symbolizer = symbolize_new();
	char *line = NULL;
	size_t room = 0;
	bool ok = true;
	while (ok && getline(&line, &room, stdin) > 0)
		ok = on_module(r, symbolizer, line) ||
		     str_fail(err, "not a module's line: '%.*s'", (int)strcspn(line, "\n"), line);
	if (ok)
		print_ranges(r);
	free(line);
	symbolize_free(symbolizer);
	return ok;
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_resolve;
	struct options o;
	struct resolving r = {0};
	struct str err = {0};
	int status = command_options(&cmd_resolve, &o, argc, argv);
	if (status >= 0)
		return status;
	bool ok = prepare(&r, &o, &err) && resolve(&r, &err);
	status = ok ? command_end() : command_fail(EXIT_FAILED, &err);
	patterns_free(&r.patterns);
	groups_free(&r.groups);
	free(r.ranges);
	options_free(&o);
	str_free(&err);
	return status;
}

const struct command cmd_resolve = {
    .name = "resolve",
    .synopsis = "[--groups FILE] PATTERN...",
    .summary = "tell libzprof.so the addresses of the functions that patterns name",
    .options = OPTIONS_GROUPS,
    .text = "For zprof's own use; see the comment in its source.",
    .run = run,
    .internal = true,
};
