/* SPDX-License-Identifier: MIT */
/* options_filters.c - see options_shared.h: which functions and contexts, and which rows. */
#include "report/core/options/options_shared.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/read/recordings.h"

/* ---- select */

static bool take_min(struct options *o, const char *value, struct str *err)
{
	char *end;
	double percent = strtod(value, &end);
	if (*end == '%')
		end++;
	if (end == value || *end || !(percent >= 0 && percent <= 100))
		return str_fail(err, "--min is a percentage from 0 to 100, not '%s'", value);
	o->filters.min_percent = percent;
	return true;
}

static bool take_depth(struct options *o, const char *value, struct str *err)
{
	return (o->filters.depth =
		    (uint32_t)options_count("--depth is a number of levels", value, err));
}

static bool take_limit(struct options *o, const char *value, struct str *err)
{
	return (o->filters.limit = options_count("--limit is a number of rows", value, err));
}

static bool take_sort(struct options *o, const char *value, struct str *err)
{
	static const struct {
		const char *name;
		enum filter_sort sort;
	} keys[] = {{"self", FILTER_SORT_SELF},     {"total", FILTER_SORT_TOTAL},
		    {"calls", FILTER_SORT_CALLS},   {"error", FILTER_SORT_ERROR},
		    {"waited", FILTER_SORT_WAITED}, {"name", FILTER_SORT_NAME}};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!strcmp(value, keys[i].name)) {
			o->filters.sort = keys[i].sort;
			return true;
		}
	(void)err; /* VALUE may be a counter's name: that is checked when profiles are loaded */
	o->filters.sort = FILTER_SORT_COUNTER;
	o->filters.sort_name = value;
	return true;
}

static const struct option_spec min[] = {
    {0, "min", "PERCENT", NULL, OPTION_TAKE(take_min),
     "rows that take at least this share of the whole, callees included"},
    OPTIONS_END,
};

static const struct option_spec sort[] = {
    {0, "sort", "KEY", NULL, OPTION_TAKE_WORD(take_sort, "self total calls error waited name"),
     "order of rows or blocks: self, total, calls, error, waited or name. A time smaller than its own "
     "error counts as the largest it may be, here and for --min"},
    OPTIONS_END,
};

const struct option_spec options_limit[] = {
    {0, "limit", "N", OPTIONS_SELECT, OPTION_TAKE(take_limit), "the first N rows or blocks"},
    OPTIONS_END,
};

const struct option_spec options_select[] = {
    {'F', "func", "PATTERN", OPTIONS_SELECT, OPTION_PATTERN(func),
     "functions whose name, or its last parts, match a glob or /an extended regular expression/. "
     "May be given several times: one match is enough. A PATTERN that matches nothing is an error"},
    {0, "group", "GROUP", NULL, OPTION_PATTERN_OF(group, PATTERN_GROUP), "functions of that group"},
    {0, "module", "PATTERN", NULL, OPTION_PATTERN_OF(module, PATTERN_MODULE),
     "functions of that program or library, by its path or the path's last parts"},
    {0, "file", "PATTERN", NULL, OPTION_PATTERN_OF(file, PATTERN_FILE),
     "functions defined in that source file, by its path or the path's last parts"},
    OPTIONS_OF(min),
    {0, "depth", "N", NULL, OPTION_TAKE(take_depth),
     "functions that occur at most N levels deep (1: outermost); in the tree, its first N levels"},
    OPTIONS_OF(options_limit),
    OPTIONS_OF(sort),
    OPTIONS_END,
};

const struct option_spec options_rows[] = {
    OPTIONS_UNDER(OPTIONS_SELECT, min),
    OPTIONS_OF(options_limit),
    OPTIONS_OF(sort),
    OPTIONS_END,
};

/* ---- restrict and make transparent */

static bool take_recording(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!strcmp(value, "last")) {
		o->filters.recording = RECORDINGS_LAST;
		return true;
	}
	if (!options_number(value, RECORDINGS_LAST - 1, &n) || !n)
		return str_fail(err,
				"--recording is 1 for what was recorded first, 2 for the next, or "
				"'last', not '%s'",
				value);
	o->filters.recording = (uint32_t)n;
	return true;
}

#define RECURSIONS "spread fold"

static bool take_recursion(struct options *o, const char *value, struct str *err)
{
	int place = options_word("recursion", RECURSIONS, value, err);
	o->filters.spread = !place;
	return place >= 0;
}

const struct option_spec options_recording[] = {
    {0, "recording", "N|last", OPTIONS_RESTRICT, OPTION_TAKE_WORD(take_recording, "last"),
     "what was recorded from the N-th beginning to its end, of a process that was attached to again "
     "('zprof info' lists these); the default is all together"},
    OPTIONS_END,
};

const struct option_spec options_part_of[] = {
    {0, "thread", "PATTERN", OPTIONS_RESTRICT, OPTION_PATTERN_OF(thread, PATTERN_FUNC),
     "threads of that name or number"},
    {0, "pid", "NUMBER", NULL, OPTION_PATTERN_OF(pid, PATTERN_FUNC), "the process of that number"},
    OPTIONS_OF(options_recording),
    OPTIONS_END,
};

const struct option_spec options_groups[] = {
    {0, "groups", "FILE", "Groups", OPTION_TEXT(groups_path),
     "read groups from FILE instead of 'zprof.groups' in this folder (see 'zprof help "
     "groups-file')"},
    {0, "metric", "NAME", NULL, OPTION_TEXT(metric),
     "use the groups that this metric lists, in its order; the default is all groups, in the "
     "file's order"},
    OPTIONS_END,
};

const struct option_spec options_contexts[] = {
    {0, "under", "PATTERN", OPTIONS_RESTRICT, OPTION_PATTERN(under),
     "contexts at or below a function whose name matches"},
    OPTIONS_OF(options_part_of),
    {0, "since", "reset|FILE", NULL, OPTION_TEXT_WORD(since, "reset"),
     "what came after 'zprof reset', or after FILE, a copy that 'zprof snapshot' made"},
    OPTIONS_OF_EACH(loader_options_at), /* how features restrict what any view shows */
    {'N', "not", "PATTERN",
     "Make transparent: zones that are out count as never instrumented; their time goes to their "
     "callers",
     OPTION_PATTERN(not_in),
     "functions that match are out: by name, or as group:G, file:P or module:P"},
    {0, "only", "PATTERN", NULL, OPTION_PATTERN(only),
     "functions that do not match are out; PATTERN as for --not"},
    {0, "fold-library", NULL, NULL, OPTION_FLAG(filters.fold_library),
     "internal functions of the C++ library are out, such as std::vector<int>::_M_realloc_insert and "
     "all of __gnu_cxx"},
    OPTIONS_OF(options_groups),
    OPTIONS_END,
};

const struct option_spec options_recursion[] = {
    {0, "recursion", "HOW", "Output", OPTION_TAKE_WORD(take_recursion, RECURSIONS),
     "spread: each depth of a recursive function is a row of its own (f, f'2, f'3); fold, the "
     "default: one row"},
    OPTIONS_END,
};
