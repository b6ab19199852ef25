/* SPDX-License-Identifier: MIT */
/*
 * mcp_tools.c - see mcp_tools.h. A call's arguments become options of a command, one word each, and
 * the names of files stand behind `--`. So no argument can be taken for another.
 */
#define _GNU_SOURCE
#include "report/assistant/mcp_tools.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/view/view.h"

#define ARGUMENTS_MOST 64
#define ROWS           "50" /* when the call does not say how many */

struct tool {
	const char *name, *text;
	const char *words[3]; /* of the command; NULL ends them */
	bool rows;            /* takes limit, min, sort and func */
};

static const struct tool tools[] = {
    {"brief", "What matters most in a profile, as text: begin here.", {"brief"}, true},
    {"report",
     "Functions with calls, self and total times and their errors.",
     {"report", "--json"},
     true},
    {"tree",
     "The context tree: each chain of callers with its own times.",
     {"report", "--tree", "--json"},
     true},
    {"graph", "Functions, and arcs between callers and callees.", {"graph", "--json"}, true},
    {"groups", "Times by groups of functions.", {"groups", "--json"}, false},
    {"info",
     "What was recorded: command, host, clock, threads, losses.",
     {"info", "--json"},
     false},
};

static const struct argument {
	const char *name, *type, *text;
	bool rows;
} arguments[] = {
    {"func", "string", "only functions that match this glob or /regular expression/", true},
    {"under", "string", "only contexts at or below a function that matches", true},
    {"thread", "string", "only threads of this name or number", true},
    {"min", "number", "rows that take at least this percentage", true},
    {"limit", "integer", "at most this many rows; 50 if not given", true},
    {"sort", "string", "self, total, calls, error or name", true},
    {"time", "string", "which time: cpu, wait, wall (both, and others' time) or own (both)", true},
    {"raw", "boolean", "times as measured, the hooks' own cost included", true},
    {"tokens", "integer", "for brief: how much to print", true},
};

static const struct tool *find_tool(const char *name)
{
	for (size_t i = 0; name && i < sizeof tools / sizeof *tools; i++)
		if (!strcmp(name, tools[i].name))
			return &tools[i];
	return NULL;
}

/* Whether a call takes an argument. */
static bool takes(const struct tool *t, const struct argument *a)
{
	return (t->rows || !a->rows) && (strcmp(a->name, "tokens") || !strcmp(t->name, "brief"));
}

static json_t *schema(const struct tool *t)
{
	json_t *properties =
	    json_pack("{s:{s:s,s:{s:s},s:s}}", "files", "type", "array", "items", "type", "string",
		      "description",
		      "profiles or folders; the newest run in the current folder if "
		      "not given");
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
		if (takes(t, &arguments[i]))
			json_object_set_new(properties, arguments[i].name,
					    json_pack("{s:s,s:s}", "type", arguments[i].type,
						      "description", arguments[i].text));
	return json_pack("{s:s,s:o,s:b}", "type", "object", "properties", properties,
			 "additionalProperties", 0);
}

json_t *mcp_tools_list(void)
{
	json_t *list = json_array();
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		json_array_append_new(list, json_pack("{s:s,s:s,s:o,s:{s:b}}", "name",
						      tools[i].name, "description", tools[i].text,
						      "inputSchema", schema(&tools[i]),
						      "annotations", "readOnlyHint", 1));
	return json_pack("{s:o}", "tools", list);
}

/* The words of a command line; all but the first are to be freed. */
struct words {
	char *list[ARGUMENTS_MOST + 1];
	size_t count;
};

static bool add_word(struct words *w, struct str *why, const char *format, const char *a,
		     const char *b)
{
	struct str word = {0};
	if (w->count == ARGUMENTS_MOST)
		return str_fail(why, "more than %d arguments", ARGUMENTS_MOST);
	str_add(&word, format, a, b);
	w->list[w->count++] = word.text;
	return true;
}

static bool add_option(struct words *w, const struct argument *a, const json_t *value,
		       struct str *why)
{
	char number[64];
	if (!strcmp(a->type, "string") && json_is_string(value))
		return add_word(w, why, "--%s=%s", a->name, json_string_value(value));
	if (!strcmp(a->type, "boolean") && json_is_boolean(value))
		return !json_is_true(value) || add_word(w, why, "--%s%s", a->name, "");
	snprintf(number, sizeof number, "%.15g", json_number_value(value));
	if (json_is_integer(value) || (!strcmp(a->type, "number") && json_is_number(value)))
		return add_word(w, why, "--%s=%s", a->name, number);
	return str_fail(why, "argument '%s' is not of type %s", a->name, a->type);
}

static bool add_options(struct words *w, const struct tool *t, const json_t *given, struct str *why)
{
	const char *key;
	json_t *value;
	if (t->rows && strcmp(t->name, "brief") && !json_object_get(given, "limit") &&
	    !add_word(w, why, "--%s=%s", "limit", ROWS))
		return false;
	json_object_foreach((json_t *)given, key, value)
	{
		const struct argument *found = NULL;
		for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
			if (!strcmp(key, arguments[i].name) && takes(t, &arguments[i]))
				found = &arguments[i];
		if (!strcmp(key, "files"))
			continue;
		if (!found)
			return str_fail(why, "'%s' has no argument '%s'", t->name, key);
		if (!add_option(w, found, value, why))
			return false;
	}
	return true;
}

static bool add_files(struct words *w, const json_t *files, struct str *why)
{
	if (files && !json_is_array(files))
		return str_fail(why, "argument 'files' is not an array");
	if (!add_word(w, why, "--%s%s", "", ""))
		return false;
	for (size_t i = 0; i < json_array_size(files); i++) {
		const char *file = json_string_value(json_array_get(files, i));
		if (!file)
			return str_fail(why, "argument 'files' has an item that is not a string");
		if (!add_word(w, why, "%s%s", file, ""))
			return false;
	}
	return true;
}

/* Runs this zprof with WORDS. Its output on both streams goes to OUTPUT. */
static bool run_zprof(char *const *words, struct str *output, struct str *why)
{
	int ends[2], status = 0;
	char block[4096];
	ssize_t got;
	if (pipe2(ends, O_CLOEXEC))
		return str_fail(why, "cannot make a pipe: %s", strerror(errno));
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		int nothing = open("/dev/null", O_RDONLY);
		dup2(nothing, STDIN_FILENO);
		execv("/proc/self/exe", words);
		_exit(127);
	}
	close(ends[1]);
	while (child > 0 &&
	       ((got = read(ends[0], block, sizeof block)) > 0 || (got < 0 && errno == EINTR)))
		str_add_bytes(output, block, got > 0 ? (size_t)got : 0);
	close(ends[0]);
	if (child < 0)
		return str_fail(why, "cannot start a process: %s", strerror(errno));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

json_t *mcp_tools_call(const json_t *params, struct str *why)
{
	const char *name = json_string_value(json_object_get(params, "name"));
	const json_t *given = json_object_get(params, "arguments");
	const struct tool *t = find_tool(name);
	struct words w = {.count = 0};
	struct str output = {0};
	json_t *result = NULL;
	if (!t) {
		str_fail(why, "no such call: '%s'", name ? name : "");
		return NULL;
	}
	bool ok = add_word(&w, why, "%s%s", "zprof", "");
	for (int i = 0; ok && i < 3 && t->words[i]; i++)
		ok = add_word(&w, why, "%s%s", t->words[i], "");
	ok = ok && add_options(&w, t, given, why) &&
	     add_files(&w, json_object_get(given, "files"), why);
	if (ok) {
		bool went_well = run_zprof(w.list, &output, why);
		result = json_pack("{s:[{s:s,s:o}],s:b}", "content", "type", "text", "text",
				   view_json_text(str_text(&output)), "isError", !went_well);
	}
	for (size_t i = 0; i < w.count; i++)
		free(w.list[i]);
	str_free(&output);
	return result;
}
