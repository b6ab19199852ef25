/* SPDX-License-Identifier: MIT */
/*
 * mcp_tools.c - see mcp_tools.h. A call's arguments become options of a command, one word each. A
 * file's name that begins with `-` gets `./` in front of it: no argument can be taken for another.
 * There must never be a `--`, behind which 'zprof annotate' has a program that it runs.
 */
#define _GNU_SOURCE
#include "report/assistant/mcp_tools.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/assistant/mcp_page.h"
#include "report/core/base/memory.h"
#include "report/core/view/view.h"

#define ARGUMENTS_MOST 64
#define ROWS           "50" /* when the call does not say how many */
#define CURSOR         "cursor"
#define REMARKS_MOST   1000 /* bytes of what a command says on stderr */

struct tool {
	const char *name, *text;
	const char *words[3]; /* of the command; NULL ends them */
	const char *takes;    /* names of arguments, between spaces */
	bool limited;         /* to ROWS rows, if the call does not say */
};

#define SELECTED " func file under thread min limit sort time raw "

static const struct tool tools[] = {
    {"brief",
     "What matters most in a profile, as text: begin here.",
     {"brief"},
     SELECTED "tokens ",
     false},
    {"report",
     "Functions with calls, self and total times and their errors.",
     {"report", "--json"},
     SELECTED,
     true},
    {"tree",
     "The context tree: each chain of callers with its own times.",
     {"report", "--tree", "--json"},
     SELECTED,
     true},
    {"graph",
     "Functions, and arcs between callers and callees.",
     {"graph", "--json"},
     SELECTED,
     true},
    {"groups", "Times by groups of functions.", {"groups", "--json"}, " ", false},
    {"annotate",
     "The source as text, with calls and times beside each line.",
     {"annotate"},
     SELECTED "lines counts ",
     false},
    {"diff",
     "What changed from the first of the files to the last: functions and arcs. With one file and "
     "'slowest': what its slowest frame did more than the median one.",
     {"diff", "--json"},
     SELECTED "slowest ",
     true},
    {"frames",
     "Turns of a main loop and requests: how long they take, and the slowest.",
     {"frames", "--json"},
     " limit raw kind frame slowest tails ",
     true},
    {"info",
     "What was recorded: command, host, clock, threads, losses.",
     {"info", "--json"},
     " ",
     false},
    {"ls", "The runs whose profiles are in a folder.", {"ls", "--json"}, " ", false},
};

static const struct argument {
	const char *name, *type, *text;
} arguments[] = {
    {"func", "string", "only functions that match this glob or /regular expression/"},
    {"file", "string", "only functions defined in source files that match"},
    {"under", "string", "only contexts at or below a function that matches"},
    {"thread", "string", "only threads of this name or number"},
    {"min", "number", "rows that take at least this percentage"},
    {"limit", "integer", "at most this many rows; 50 if not given, all for brief and annotate"},
    {"sort", "string", "self, total, calls, error or name"},
    {"time", "string", "which time: cpu, wait, wall (both, and others' time) or own (both)"},
    {"raw", "boolean", "times as measured, the hooks' own cost included"},
    {"tokens", "integer", "how much to print, in tokens of 4 bytes; 1000 if not given"},
    {"lines", "string", "only these lines, as 100-150"},
    {"counts", "boolean", "how often each line ran (of programs compiled for that)"},
    {"kind", "string", "only frames of this name"},
    {"frame", "integer", "the frame of this number"},
    {"slowest", "integer", "the slowest frame: 1, the next: 2 ..."},
    {"tails", "boolean", "single calls, by context, instead of frames"},
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
	size_t length = strlen(a->name);
	for (const char *at = t->takes; (at = strstr(at, a->name)); at += length)
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

static json_t *schema(const struct tool *t)
{
	json_t *properties =
	    json_pack("{s:{s:s,s:{s:s},s:s}}", "files", "type", "array", "items", "type", "string",
		      "description",
		      "profiles or folders; the newest run in the current folder if "
		      "not given");
	json_object_set_new(
	    properties, CURSOR,
	    json_pack("{s:s,s:s}", "type", "string", "description",
		      "go on where an answer that was too long has ended, as its end "
		      "says; with the same arguments"));
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
	if (t->limited && !json_object_get(given, "limit") &&
	    !add_word(w, why, "--%s=%s", "limit", ROWS))
		return false;
	json_object_foreach((json_t *)given, key, value)
	{
		const struct argument *found = NULL;
		for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
			if (!strcmp(key, arguments[i].name) && takes(t, &arguments[i]))
				found = &arguments[i];
		if (!strcmp(key, "files") || !strcmp(key, CURSOR))
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
	for (size_t i = 0; i < json_array_size(files); i++) {
		const char *file = json_string_value(json_array_get(files, i));
		if (!file)
			return str_fail(why, "argument 'files' has an item that is not a string");
		if (!add_word(w, why, "%s%s", *file == '-' ? "./" : "", file))
			return false;
	}
	return true;
}

/* What the command has written into a file in memory. */
static void read_remarks(int fd, struct str *remarks)
{
	char block[REMARKS_MOST];
	ssize_t got = pread(fd, block, sizeof block, 0);
	if (got <= 0)
		return;
	str_add_bytes(remarks, block, (size_t)got);
	if (got == sizeof block)
		str_add(remarks, "...\n");
}

/* Runs this zprof with WORDS: its output on stdout and stderr. */
static bool run_zprof(char *const *words, struct str *output, struct str *remarks, struct str *why)
{
	int ends[2], status = 0;
	char block[4096];
	ssize_t got;
	int errors = memfd_create("errors", MFD_CLOEXEC);
	if (errors < 0)
		return str_fail(why, "cannot make a file in memory: %s", strerror(errno));
	if (pipe2(ends, O_CLOEXEC)) {
		close(errors);
		return str_fail(why, "cannot make a pipe: %s", strerror(errno));
	}
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(errors, STDERR_FILENO);
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
		str_fail(why, "cannot start a process: %s", strerror(errno));
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	read_remarks(errors, remarks);
	close(errors);
	return child > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Where the answer is to begin: 0 without a cursor. */
static bool read_cursor(const json_t *given, size_t *from, struct str *why)
{
	const json_t *cursor = json_object_get(given, CURSOR);
	const char *text = json_string_value(cursor);
	char *end;
	*from = 0;
	if (!cursor)
		return true;
	if (!text || *text < '0' || *text > '9')
		return str_fail(why, "argument '" CURSOR "' is not a cursor of an answer");
	*from = strtoull(text, &end, 10);
	return !*end || str_fail(why, "argument '" CURSOR "' is not a cursor of an answer");
}

static void add_text(json_t *content, const struct str *text)
{
	if (text->used)
		json_array_append_new(content, json_pack("{s:s,s:o}", "type", "text", "text",
							 view_json_text(text->text)));
}

/* The answer to a call: a page of the command's output, what it said beside that, and a cursor. */
static json_t *answer_of(const struct str *output, const struct str *remarks, size_t from,
			 bool failed, struct str *why)
{
	struct str page = {0}, more = {0};
	size_t next = 0;
	if ((output->used || from) && !mcp_page(&page, output, from, &next)) {
		str_fail(why, "there is nothing more at this cursor");
		return NULL;
	}
	json_t *content = json_array();
	json_t *result = json_pack("{s:o,s:b}", "content", content, "isError", failed);
	add_text(content, &page);
	add_text(content, remarks);
	if (next) {
		str_add(&more, "There is more: call again with \"" CURSOR "\": \"%zu\".", next);
		add_text(content, &more);
		json_object_set_new(result, "_meta",
				    json_pack("{s:o}", "nextCursor", json_sprintf("%zu", next)));
	}
	str_free(&page);
	str_free(&more);
	return result;
}

json_t *mcp_tools_call(const json_t *params, struct str *why)
{
	const char *name = json_string_value(json_object_get(params, "name"));
	const json_t *given = json_object_get(params, "arguments");
	const struct tool *t = find_tool(name);
	struct words w = {.count = 0};
	struct str output = {0}, remarks = {0};
	json_t *result = NULL;
	size_t from;
	if (!t) {
		str_fail(why, "no such call: '%s'", name ? name : "");
		return NULL;
	}
	bool ok = read_cursor(given, &from, why) && add_word(&w, why, "%s%s", "zprof", "");
	for (int i = 0; ok && i < 3 && t->words[i]; i++)
		ok = add_word(&w, why, "%s%s", t->words[i], "");
	ok = ok && add_options(&w, t, given, why) &&
	     add_files(&w, json_object_get(given, "files"), why);
	if (ok) {
		bool went_well = run_zprof(w.list, &output, &remarks, why);
		if (!why->used)
			result = answer_of(&output, &remarks, from, !went_well, why);
	}
	for (size_t i = 0; i < w.count; i++)
		free(w.list[i]);
	str_free(&output);
	str_free(&remarks);
	return result;
}
