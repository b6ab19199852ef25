/* SPDX-License-Identifier: MIT */
/*
 * cmd_resolve.c - `zprof resolve`: finds functions by patterns, for libzprof.so, which runs this
 * command in order to record only some functions. It is not for users.
 *
 *     zprof resolve [--any] [--groups FILE] [PATTERN...]
 *
 * The input has one line per module: `id start end bias build-id path`. The id is decimal; start,
 * end and bias are hexadecimal without 0x; the build-id is hexadecimal or `-`; the path is the rest
 * of the line. Before the modules there may be rules, one per line: `+` or `-`, and patterns
 * separated by spaces.
 *
 * Functions that match a PATTERN are chosen, or all functions if there is no PATTERN. Rules change
 * that: the last rule that a function matches chooses it (+) or not (-). With a PATTERN, the output
 * lists the functions that are chosen; without, the functions that are not. It has one line per
 * range of addresses (as the program runs): `id start end`, the id decimal, the rest hexadecimal.
 * Ranges are sorted by start, and touching ranges are joined. If there are rules, a first line says
 * how many functions match the last rule. Patterns are those of --only in views: a glob, /an
 * extended regular expression/, group:G, file:P or module:P. If the command fails, the output is
 * empty. Modules that call no hooks are left out, unless --any is given: their entries are displaced.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/command/command.h"
#include "report/core/base/memory.h"
#include "report/process/binary.h"

struct range {
	uint32_t module;
	uint64_t start, end;
};

/* A rule: functions that match its patterns are chosen (+) or not (-). */
struct rule {
	bool means;
	struct patterns patterns;
};

struct resolving {
	struct groups groups;
	struct patterns patterns;
	struct rule *rules;
	size_t rule_count, rule_room, matched; /* matched: functions of the last rule */
	bool with_files;                       /* a pattern matches source files */
	const bool *any;                       /* modules without hooks are recorded, too */
	struct range *ranges;
	size_t count, room;
	/* the current module */
	uint32_t id;
	uint64_t bias;
	const char *path;
};

/* Whether a function is one of those to be printed. */
static bool is_printed(struct resolving *r, const struct pattern_subject *s)
{
	bool rest = !r->patterns.count,
	     means = rest || groups_match_any(&r->groups, &r->patterns, s, "");
	for (size_t i = 0; i < r->rule_count; i++)
		if (groups_match_any(&r->groups, &r->rules[i].patterns, s, "")) {
			means = r->rules[i].means;
			r->matched += i == r->rule_count - 1;
		}
	return means != rest;
}

static bool on_function(void *context, const struct symbolize_function *f)
{
	struct resolving *r = context;
	struct pattern_subject s = {f->name, f->linkage, f->file ? f->file : "", r->path, f->start};
	if (!is_printed(r, &s))
		return true;
	uint64_t start = f->start + r->bias;
	*memory_next(r->ranges, r->count, r->room) =
	    (struct range){r->id, start, start + (f->size ? f->size : 1)};
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

/*
 * Whether a file has functions with hooks. Without a relocation that names a hook there are none,
 * and its symbols, of which a C++ library has thousands, need not be read. True also for a file
 * that is not understood.
 */
static bool may_call_hooks(const char *path)
{
	struct binary b = {.path = path};
	struct str err = {0};
	struct scan_hooks hooks;
	bool may = !binary_open(&b, &err) || scan_hooks(&b.image, &hooks);
	binary_close(&b);
	str_free(&err);
	return may;
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
	if (!*r->any && !may_call_hooks(r->path))
		return true;
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
	return memory_order(a->start, b->start) ?: memory_order(a->end, b->end);
}

static void print_ranges(struct resolving *r)
{
	memory_sort(r->ranges, r->count, by_start);
	for (size_t i = 0; i < r->count;) {
		struct range joined = r->ranges[i];
		for (i++; i < r->count && r->ranges[i].start <= joined.end; i++)
			if (r->ranges[i].end > joined.end)
				joined.end = r->ranges[i].end;
		printf("%" PRIu32 " %" PRIx64 " %" PRIx64 "\n", joined.module, joined.start,
		       joined.end);
	}
}

static bool of_files(const struct patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (patterns->list[i].of == PATTERN_FILE)
			return true;
	return false;
}

static bool any_file(const struct resolving *r)
{
	if (of_files(&r->patterns))
		return true;
	for (size_t i = 0; i < r->rule_count; i++)
		if (of_files(&r->rules[i].patterns))
			return true;
	for (size_t i = 0; i < r->groups.count; i++)
		if (of_files(&r->groups.list[i].patterns))
			return true;
	return false;
}

static bool add_pattern(struct resolving *r, struct patterns *patterns, const char *text,
			struct str *err)
{
	return pattern_list_add_prefixed(patterns, text, err) &&
	       groups_require(&r->groups, &patterns->list[patterns->count - 1], err);
}

static bool prepare(struct resolving *r, const struct options *o, struct str *err)
{
	if (!groups_load(&r->groups, o->groups_path, false, err))
		return false;
	for (size_t i = 0; i < o->path_count; i++)
		if (!add_pattern(r, &r->patterns, o->paths[i], err))
			return false;
	return true;
}

static bool on_rule(struct resolving *r, char *line, struct str *err)
{
	struct rule *rule = memory_next(r->rules, r->rule_count, r->rule_room);
	*rule = (struct rule){.means = *line == '+'};
	for (char *rest, *text = strtok_r(line + 1, " \n", &rest); text;
	     text = strtok_r(NULL, " \n", &rest))
		if (!add_pattern(r, &rule->patterns, text, err))
			return false;
	return true;
}

static bool on_line(struct resolving *r, struct symbolizer *symbolizer, char *line, struct str *err)
{
	if (*line == '+' || *line == '-')
		return on_rule(r, line, err);
	r->with_files = any_file(r);
	return on_module(r, symbolizer, line) ||
	       str_fail(err, "not a module's line: '%.*s'", (int)strcspn(line, "\n"), line);
}

static bool resolve(struct resolving *r, struct str *err)
{
	struct symbolizer *symbolizer = symbolize_new();
	char *line = NULL;
	size_t room = 0;
	bool ok = true;
	while (ok && getline(&line, &room, stdin) > 0)
		ok = on_line(r, symbolizer, line, err);
	if (ok && !r->rule_count && !r->patterns.count)
		ok = str_fail(err, "no pattern");
	if (ok && r->rule_count)
		printf("%zu\n", r->matched);
	if (ok)
		print_ranges(r);
	free(line);
	symbolize_free(symbolizer);
	return ok;
}

static void close_resolving(struct resolving *r)
{
	for (size_t i = 0; i < r->rule_count; i++)
		pattern_list_free(&r->rules[i].patterns);
	free(r->rules);
	pattern_list_free(&r->patterns);
	groups_free(&r->groups);
	free(r->ranges);
}

static int run(struct options *o, struct str *err)
{
	struct resolving r = {.any = o->own};
	bool ok = prepare(&r, o, err) && resolve(&r, err);
	close_resolving(&r);
	return ok ? command_end() : EXIT_FAILED;
}

static bool take_any(struct options *o, const char *value, struct str *err)
{
	bool *any = o->own;
	(void)value;
	(void)err;
	return *any = true;
}

static const struct option_spec options[] = {
    {0, "any", NULL, NULL, OPTION_TAKE(take_any), "find functions of modules without hooks, too"},
    OPTIONS_OF(options_groups),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_resolve = {
    .name = "resolve",
    .options = options,
    .own_size = sizeof(bool),
    .run = run,
};
