/* SPDX-License-Identifier: MIT */
/* cmd_ls.c - `zprof ls`: the runs in a folder, one line each. */
#include <stdio.h>

#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/files/runs.h"
#include "report/core/view/view.h"

enum { STARTED, ELAPSED, PROCESSES, BYTES, STATE, FILE_NAME, COMMAND, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [STARTED] = {.head = "started", .least = 19},
    [ELAPSED] = {.head = "elapsed", .right = true, .gap = 2, .least = 8},
    [PROCESSES] = {.head = "processes", .right = true, .gap = 2, .least = 9},
    [BYTES] = {.head = "on disk", .right = true, .gap = 2, .least = 8},
    [STATE] = {.head = "", .gap = 2, .optional = true},
    [FILE_NAME] = {.head = "file", .gap = 2},
    [COMMAND] = {.head = "command", .gap = 2},
};

/* Adds the state of a run: `1 recording, 2 copies`, `merged, 3 runs`, or nothing. */
static void add_state(const struct run *r, struct str *state)
{
	char text[UNITS_TEXT];
	if (r->merged_runs)
		str_add(state, "merged, %s", units_of(text, r->merged_runs, "run"));
	if (r->running > r->unrecorded)
		str_add(state, "%s recording", units_count(text, r->running - r->unrecorded));
	else if (r->running)
		str_add(state, "%s not recorded", units_count(text, r->unrecorded));
	if (r->copies)
		str_add(state, "%s%s %s", state->used ? ", " : "", units_count(text, r->copies),
			r->copies == 1 ? "copy" : "copies");
}

static void add_row(struct table *t, const struct run *r)
{
	char text[UNITS_TEXT];
	table_row(t, TABLE_PLAIN);
	table_cell(t, STARTED, "%s", units_moment(text, r->start_ns));
	table_cell(t, ELAPSED, "%s", units_time(text, (double)r->elapsed_ns, false));
	table_cell(t, PROCESSES, "%s", units_count(text, r->processes));
	table_cell(t, BYTES, "%s", units_bytes(text, r->bytes));
	struct str state = {0};
	add_state(r, &state);
	if (state.used)
		table_cell(t, STATE, "%s", state.text);
	str_free(&state);
	table_cell(t, FILE_NAME, "%s", r->path);
	table_tail(t, COMMAND, r->command);
}

static void print_text(const struct options *o, const struct runs *r)
{
	struct table t;
	struct terminal terminal;
	terminal_open(&terminal, o->color, o->width, !o->no_pager);
	table_init(&t, columns, COLUMNS);
	for (size_t i = 0; i < r->count; i++)
		add_row(&t, &r->list[i]);
	table_print(&t, &terminal);
	table_free(&t);
}

static json_t *run_json(const struct runs *all, const struct run *r)
{
	char id[33];
	json_t *o = json_object(), *files = json_array();
	for (size_t i = 0; i < sizeof r->id; i++)
		snprintf(id + 2 * i, 3, "%02x", r->id[i]);
	for (size_t i = 0; i < r->file_count; i++)
		json_array_append_new(files, view_json_text(all->paths[r->files[i]]));
	json_object_set_new(o, "run", json_string(id));
	json_object_set_new(o, "command", view_json_text(r->command));
	json_object_set_new(o, "pid", json_integer(r->pid));
	json_object_set_new(o, "started_ns", json_integer((json_int_t)r->start_ns));
	json_object_set_new(o, "elapsed_ns", json_integer((json_int_t)r->elapsed_ns));
	json_object_set_new(o, "processes", json_integer(r->processes));
	json_object_set_new(o, "copies", json_integer(r->copies));
	json_object_set_new(o, "recording", json_integer(r->running - r->unrecorded));
	json_object_set_new(o, "not_recorded", json_integer(r->unrecorded));
	json_object_set_new(o, "merged_runs", json_integer(r->merged_runs));
	json_object_set_new(o, "bytes", json_integer((json_int_t)r->bytes));
	json_object_set_new(o, "files", files);
	return o;
}

static void print_json(FILE *to, const struct runs *r)
{
	bool first = true;
	fputs("{\"schema\":\"zprof/1\"", to);
	view_json_array(to, "runs");
	for (size_t i = 0; i < r->count; i++)
		view_json_item(to, &first, run_json(r, &r->list[i]));
	view_json_array_end(to);
	view_json_end(to);
}

static int run(struct options *o, struct str *err)
{
	static char here[] = ".";
	char *folder[] = {here};
	struct find_files files = {0};
	struct runs runs;
	struct str warnings = {0};
	bool ok = find_files_in(&files, o->path_count ? o->paths : folder,
				o->path_count ? o->path_count : 1, err);
	if (ok) {
		runs_make(&runs, &files, o->force, &warnings);
		command_warn(&warnings);
		ok = runs.count > 0; /* else warnings say of each file why it is no profile */
		if (ok && o->json)
			print_json(stdout, &runs);
		else if (ok)
			print_text(o, &runs);
		runs_free(&runs);
	}
	find_files_free(&files);
	str_free(&warnings);
	return ok ? command_end() : EXIT_FAILED;
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_force),
    OPTIONS_OF(options_json),
    OPTIONS_OF(options_terminal),
    OPTIONS_END,
};

const struct command cmd_ls = {
    .name = "ls",
    .options = options,
    .run = run,
};
