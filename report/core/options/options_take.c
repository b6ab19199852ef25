/* SPDX-License-Identifier: MIT */
/* options_take.c - see options_take.h. */
#include "report/core/options/options_take.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/read/recordings.h"

bool options_take_number(const char *value, unsigned long most, unsigned long *number)
{
	char *end;
	if (*value < '0' || *value > '9')
		return false;
	*number = strtoul(value, &end, 10);
	return !*end && *number <= most;
}

unsigned long options_take_count(const char *what, const char *value, struct str *err)
{
	unsigned long n;
	if (options_take_number(value, UINT32_MAX, &n) && n)
		return n;
	str_fail(err, "%s, 1 or more, not '%s'", what, value);
	return 0;
}

bool options_take_func(struct options *o, const char *value, struct str *err)
{
	return pattern_list_add_prefixed(&o->filters.func, value, err);
}

bool options_take_group(struct options *o, const char *value, struct str *err)
{
	return pattern_list_add(&o->filters.group, PATTERN_GROUP, value, err);
}

bool options_take_module(struct options *o, const char *value, struct str *err)
{
	return pattern_list_add(&o->filters.module, PATTERN_MODULE, value, err);
}

bool options_take_file(struct options *o, const char *value, struct str *err)
{
	return pattern_list_add(&o->filters.file, PATTERN_FILE, value, err);
}

bool options_take_not(struct options *o, const char *value, struct str *err)
{
	return pattern_list_add_prefixed(&o->filters.not_in, value, err);
}

bool options_take_only(struct options *o, const char *value, struct str *err)
{
	return pattern_list_add_prefixed(&o->filters.only, value, err);
}

bool options_take_under(struct options *o, const char *value, struct str *err)
{
	return pattern_list_add_prefixed(&o->filters.under, value, err);
}

bool options_take_thread(struct options *o, const char *value, struct str *err)
{
	return pattern_list_add(&o->filters.thread, PATTERN_FUNC, value, err);
}

bool options_take_pid(struct options *o, const char *value, struct str *err)
{
	return pattern_list_add(&o->filters.pid, PATTERN_FUNC, value, err);
}

bool options_take_recording(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!strcmp(value, "last")) {
		o->filters.recording = RECORDINGS_LAST;
		return true;
	}
	if (!options_take_number(value, RECORDINGS_LAST - 1, &n) || !n)
		return str_fail(err,
				"--recording is 1 for what was recorded first, 2 for the next, or "
				"'last', not '%s'",
				value);
	o->filters.recording = (uint32_t)n;
	return true;
}

bool options_take_min(struct options *o, const char *value, struct str *err)
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

bool options_take_limit(struct options *o, const char *value, struct str *err)
{
	unsigned long n = options_take_count("--limit is a number of rows", value, err);
	o->filters.limit = n;
	return n;
}

bool options_take_depth(struct options *o, const char *value, struct str *err)
{
	unsigned long n = options_take_count("--depth is a number of levels", value, err);
	o->filters.depth = (uint32_t)n;
	return n;
}

bool options_take_sort(struct options *o, const char *value, struct str *err)
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

bool options_take_batch(struct options *o, const char *value, struct str *err)
{
	unsigned long n = options_take_count("--batch is a number of prints", value, err);
	o->prints = n;
	return n;
}

bool options_take_delay(struct options *o, const char *value, struct str *err)
{
	char *end;
	double seconds = strtod(value, &end);
	if (end == value || *end || !(seconds >= 0.05 && seconds <= 3600))
		return str_fail(err, "--delay is in seconds, from 0.05 to 3600, not '%s'", value);
	o->delay_s = seconds;
	return true;
}

bool options_take_average(struct options *o, const char *value, struct str *err)
{
	if (strcmp(value, "all") && (strlen(value) != 1 || *value < '0' || *value > '2'))
		return str_fail(err, "--average is 0, 1, 2 or all, not '%s'", value);
	o->average = value;
	return true;
}

bool options_take_lines(struct options *o, const char *value, struct str *err)
{
	unsigned long first, last;
	char *dash = strchr(value, '-'), *start = memory_text(value, strcspn(value, "-"));
	bool ok = options_take_number(start, UINT32_MAX, &first) && first;
	last = first;
	if (ok && dash)
		ok = options_take_number(dash + 1, UINT32_MAX, &last) && last >= first;
	free(start);
	if (!ok)
		return str_fail(err, "--lines is a line, or two such as 100-150, not '%s'", value);
	o->first_line = (uint32_t)first;
	o->last_line = (uint32_t)last;
	return true;
}

bool options_take_source_path(struct options *o, const char *value, struct str *err)
{
	(void)err;
	o->source_paths = memory_room(o->source_paths, o->source_path_count, &o->source_path_room,
				      sizeof *o->source_paths);
	o->source_paths[o->source_path_count++] = value;
	return true;
}

bool options_take_output(struct options *o, const char *value, struct str *err)
{
	if (!*value)
		return str_fail(err, "--output is the name of a file, not ''");
	o->output = value;
	return true;
}

bool options_take_tokens(struct options *o, const char *value, struct str *err)
{
	unsigned long n = options_take_count("--tokens is a number", value, err);
	o->tokens = n;
	return n;
}

bool options_take_recursion(struct options *o, const char *value, struct str *err)
{
	o->filters.spread = !strcmp(value, "spread");
	if (!o->filters.spread && strcmp(value, "fold"))
		return str_fail(err, "--recursion is spread or fold, not '%s'", value);
	return true;
}

bool options_take_color(struct options *o, const char *value, struct str *err)
{
	if (terminal_color_parse(value ? value : "always", &o->color))
		return true;
	return str_fail(err, "--color is auto, always or never, not '%s'", value);
}

bool options_take_width(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!options_take_number(value, 100000, &n))
		return str_fail(err, "--width is a number of columns, 0 for any, not '%s'", value);
	o->width = (int)n;
	return true;
}

bool options_take_keep(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!options_take_number(value, 1000000000, &n))
		return str_fail(err, "--keep is a number of runs, not '%s'", value);
	o->keep = n;
	o->keep_given = true;
	return true;
}

bool options_take_fail(struct options *o, const char *value, struct str *err)
{
	(void)err;
	o->fails = memory_room(o->fails, o->fail_count, &o->fail_room, sizeof *o->fails);
	o->fails[o->fail_count++] = value;
	return true;
}
