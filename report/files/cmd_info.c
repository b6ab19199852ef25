/* SPDX-License-Identifier: MIT */
/* cmd_info.c - `zprof info`: a profile's program, place, date, size and losses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/core/command/command.h"
#include "report/core/base/memory.h"
#include "report/core/base/processor.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/load/ended.h"
#include "report/core/times/estimate.h"
#include "report/core/view/view.h"
#include "report/core/base/visible.h"
#include "report/core/base/wrap.h"
#include "report/files/refused.h"

#define LABEL_WIDTH 16

static void line(const struct view *v, const char *label, const char *value)
{
	struct str text = {0};
	if (!value || !*value)
		return;
	str_add(&text, "  %-12s  ", label);
	visible_add(&text, value);
	str_add(&text, "\n");
	wrap_print_indented(&v->terminal, text.text, LABEL_WIDTH);
	str_free(&text);
}

static const char *clock_text(const struct process *p, char *text, size_t room)
{
	char rate[UNITS_TEXT] = "";
	static const char *const clocks[] = {"unknown", "TSC", "CLOCK_MONOTONIC",
					     "fake, one tick a reading"};
	static const char *const modes[] = {"unknown", "exact", "unknown", "counts only"};
	const struct zprof_header *h = &p->header;
	const char *mode = modes[h->mode < 4 ? h->mode : 0];
	if (h->mode == ZPROF_MODE_COUNT && estimate_is_timed(h))
		mode = "times from samples";
	if (h->clock == ZPROF_CLOCK_TSC && (h->ticks_hz || p->ns_per_tick != 1))
		units_rate(rate, 1e9 / p->ns_per_tick);
	snprintf(text, room, "%s%s%s, %s", clocks[h->clock < 4 ? h->clock : 0], *rate ? " " : "",
		 rate, mode);
	return text;
}

static const char *time_text(uint64_t realtime_ns, char *text, size_t room)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct tm tm;
	if (!realtime_ns || !localtime_r(&seconds, &tm) ||
	    !strftime(text, room, "%Y-%m-%d %H:%M:%S %z", &tm))
		return "";
	return text;
}

static void print_state(const struct view *v, const struct process *p)
{
	struct str text = {0};
	process_state_text(p->state, p->header.pid, &text);
	if (!process_state_runs(p->state) && load_recording_ended(p))
		str_add(&text, "; its recording had been ended before ('zprof detach')");
	line(v, "state", str_text(&text));
	str_free(&text);
}

/* With several recordings, a line for each: `2: 2026-11-23 22:44:12 +0000, 1.20 s, 5,000 calls`. */
static void print_recordings(const struct view *v, const struct process *p)
{
	char when[64], lasted[UNITS_TEXT], calls[UNITS_TEXT];
	for (uint32_t i = 0; i < p->recording_count && p->recording_count > 1; i++) {
		const struct process_recording *r = &p->recordings[i];
		struct str row = {0};
		str_add(&row, "%u: %s, %s, %s", i + 1,
			time_text(r->began_realtime_ns, when, sizeof when),
			units_time(lasted, r->lasted_ns, false), units_of(calls, r->calls, "call"));
		if (r->goes_on && p->state == PROCESS_RECORDING)
			str_add(&row, " so far");
		line(v, i ? "" : "recordings", row.text);
		str_free(&row);
	}
}

static void run_id_text(const uint8_t id[16], char text[33])
{
	for (int i = 0; i < 16; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
}

/* `turns  frame  5`, one line per name. */
static void print_turns(const struct view *v, const struct process *p)
{
	char count[UNITS_TEXT];
	for (size_t i = 0; i < p->turns_count; i++) {
		struct str row = {0};
		str_add(&row, "%s  %s", p->turns[i].name, units_count(count, p->turns[i].count));
		line(v, i ? "" : "turns", row.text);
		str_free(&row);
	}
}

/* The cost of hooks as text. Under the fake clock the unit is a tick. */
static const char *cost_text(const struct process *p, char *text, size_t room)
{
	char a[UNITS_TEXT], b[UNITS_TEXT], c[UNITS_TEXT];
	const struct zprof_header *h = &p->header;
	if (h->clock == ZPROF_CLOCK_FAKE && h->mode == ZPROF_MODE_COUNT)
		snprintf(text, room, "%.3f ticks", h->hook_count_milliticks / 1000.0);
	else if (h->clock == ZPROF_CLOCK_FAKE)
		snprintf(text, room, "%.3f ticks in the callee, %.3f in the caller, +-%.3f",
			 h->hook_callee_milliticks / 1000.0, h->hook_caller_milliticks / 1000.0,
			 h->hook_error_milliticks / 1000.0);
	else if (h->flags & ZPROF_ENTRIES && h->hook_entry_milliticks)
		snprintf(
		    text, room, "%s for an entry, of which %s to call the hook",
		    units_time(a, h->hook_entry_milliticks * p->ns_per_tick / 1000, false),
		    units_time(b, h->hook_entry_call_milliticks * p->ns_per_tick / 1000, false));
	else if (h->mode == ZPROF_MODE_COUNT)
		snprintf(text, room, "%s",
			 units_time(a, h->hook_count_milliticks * p->ns_per_tick / 1000, false));
	else
		snprintf(text, room, "%s in the callee, %s in the caller, +-%s",
			 units_time(a, h->hook_callee_milliticks * p->ns_per_tick / 1000, false),
			 units_time(b, h->hook_caller_milliticks * p->ns_per_tick / 1000, false),
			 units_time(c, h->hook_error_milliticks * p->ns_per_tick / 1000, false));
	return text;
}

/* How samples were taken, as text; "" if there were none. */
static const char *samples_text(const struct process *p, char *text, size_t room)
{
	static const char *const by[] = {"nobody", "the kernel", "the kernel, outside of itself",
					 "a timer"};
	const struct zprof_header *h = &p->header;
	char count[UNITS_TEXT], period[UNITS_TEXT], price[UNITS_TEXT];
	*text = 0;
	if (h->sampler == ZPROF_SAMPLER_NONE)
		return text;
	snprintf(text, room, "%s, by %s, every %s of CPU time; each costs %s",
		 units_count(count, p->samples), h->sampler < 4 ? by[h->sampler] : by[0],
		 units_time(period, h->sample_period_ns, false),
		 units_time(price, h->sample_price_ns, false));
	return text;
}

static void print_ended(const struct view *v, size_t process)
{
	struct str text = {0};
	if (ended_early(&v->load, process))
		ended_add(&text, &v->load, process);
	line(v, "note", str_text(&text));
	str_free(&text);
}

static void print_process(const struct view *v, const struct process *p)
{
	char text[128], a[UNITS_TEXT], b[UNITS_TEXT], c[UNITS_TEXT], run_id[33];
	const struct zprof_header *h = &p->header;
	visible_print(v->terminal.out, p->path);
	fputs("\n", v->terminal.out);
	line(v, "command", p->command);
	line(v, "executable", p->exe);
	if (h->pid) {
		snprintf(text, sizeof text, "%u, started by %u%s", h->pid, h->parent_pid,
			 h->flags & ZPROF_FORKED ? ", by fork" : "");
		line(v, "process", text);
	}
	line(v, "host", p->host);
	line(v, "rank", p->rank);
	line(v, "started", time_text(h->start_realtime_ns, text, sizeof text));
	print_state(v, p);
	print_recordings(v, p);
	if (h->flags & ZPROF_MERGED) {
		snprintf(text, sizeof text, "%s process%s, %s run%s", units_count(a, p->processes),
			 p->processes == 1 ? "" : "es", units_count(b, p->runs),
			 p->runs == 1 ? "" : "s");
		line(v, "merged of", text);
	}
	if (p->elapsed_ns > 0)
		line(v, "elapsed", units_time(a, p->elapsed_ns, h->clock == ZPROF_CLOCK_FAKE));
	run_id_text(h->run_id, run_id);
	line(v, "run", run_id);
	line(v, "options", p->options);
	line(v, "clock", clock_text(p, text, sizeof text));
	line(v, "samples", samples_text(p, text, sizeof text));
	line(v, "a call costs", cost_text(p, text, sizeof text));
	line(v, "calls",
	     h->flags & ZPROF_SAMPLED && !p->calls ? "not counted: sampled from outside"
						   : units_count(a, p->calls));
	print_turns(v, p);
	snprintf(text, sizeof text, "%s, %s, %s", units_of(a, p->node_count, "context"),
		 units_of(b, p->thread_count, "thread"), units_of(c, p->module_count, "module"));
	line(v, "holds", text);
	snprintf(text, sizeof text, "names of %s, %s source file%s",
		 units_of(a, p->name_count, "function"), units_count(b, p->source_count),
		 p->source_count == 1 ? "" : "s");
	if (p->name_count || p->source_count)
		line(v, "archived", text);
	snprintf(text, sizeof text, "%s, version %u", units_bytes(a, p->file_bytes), h->version);
	line(v, "file", text);
	if (h->flags & ZPROF_FILTERED)
		line(v, "filtered", "only the zones that 'only' names were recorded");
	for (size_t i = 0; i < p->note_count; i++)
		line(v, "note", p->notes[i]);
	print_ended(v, (size_t)(p - v->load.processes));
}

/* Whether a process is selected. Without --pid and --thread, one without threads is, too. */
static bool is_selected(const struct view *v, size_t process)
{
	if (v->tree == &v->load.tree)
		return true;
	for (size_t i = 0; i < v->tree->thread_count; i++)
		if (v->tree->threads[i].process == process)
			return true;
	return false;
}

/* `thread  worker (number 4711): 1.20 s in functions, 5,000 calls`, one line per thread. */
static void print_threads(const struct view *v, size_t process)
{
	const struct tree *t = v->tree;
	double *ns = memory_zeroed(t->thread_count, sizeof *ns);
	uint64_t *calls = memory_zeroed(t->thread_count, sizeof *calls);
	const char *label = "by thread";
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].zone) {
			ns[t->nodes[i].thread] += t->nodes[i].self.ns;
			calls[t->nodes[i].thread] += t->nodes[i].calls;
		}
	for (size_t i = 0; i < t->thread_count; i++) {
		char text[UNITS_TEXT];
		struct str row = {0};
		const struct tree_thread *one = &t->threads[i];
		if (one->process != process)
			continue;
		str_add(&row, "%s (number %u", one->name, one->tid);
		if (one->count > 1)
			str_add(&row, ", the last of %s one after another",
				units_count(text, one->count));
		str_add(&row, "): ");
		if (!v->counts_only)
			str_add(&row, "%s", view_time(v, text, ns[i]));
		if (!view_uncounted(v, calls[i]))
			str_add(&row, "%s%s", v->counts_only ? "" : ", ",
				units_of(text, calls[i], "call"));
		line(v, label, row.text);
		label = "";
		str_free(&row);
	}
	free(calls);
	free(ns);
}

static void print_modules(const struct view *v)
{
	const struct zones *z = &v->load.zones;
	const char *head = "modules";
	for (size_t i = 0; i < z->module_count; i++) {
		const struct zone_module *m = &z->modules[i];
		struct str row = {0};
		if (!m->entered)
			continue;
		str_add(&row, "%s%s", m->path, m->build_id_bytes ? "  " : "");
		for (uint32_t k = 0; k < m->build_id_bytes; k++)
			str_add(&row, "%02x", m->build_id[k]);
		line(v, head, row.text);
		head = "";
		str_free(&row);
	}
}

static void print_limits(const struct view *v)
{
	struct str text = {0};
	left_alone_text(&v->left_alone, &text);
	line(v, "left alone", str_text(&text));
	limits_folded_text(&v->load.limits, &text);
	line(v, "folded", str_text(&text));
	limits_overflow_text(&v->load.limits, load_calls(&v->load), &text);
	line(v, "overflow", str_text(&text));
	str_free(&text);
}

static json_t *turns_json(const struct process *p)
{
	json_t *all = json_array();
	for (size_t i = 0; i < p->turns_count; i++)
		json_array_append_new(all, json_pack("{s:o,s:I}", "name",
						     view_json_text(p->turns[i].name), "count",
						     (json_int_t)p->turns[i].count));
	return all;
}

static json_t *notes_json(const struct process *p)
{
	json_t *all = json_array();
	for (size_t i = 0; i < p->note_count; i++)
		json_array_append_new(all, view_json_text(p->notes[i]));
	return all;
}

/* Null in a program sampled from outside. */
static json_t *calls_json(const struct process *p, uint64_t calls)
{
	bool known = calls || !(p->header.flags & ZPROF_SAMPLED);
	return known ? json_integer((json_int_t)calls) : json_null();
}

static json_t *recordings_json(const struct process *p)
{
	json_t *all = json_array();
	for (uint32_t i = 0; i < p->recording_count; i++) {
		const struct process_recording *r = &p->recordings[i];
		json_t *one = json_pack("{s:I,s:I,s:f,s:o,s:b}", "number", (json_int_t)i + 1,
					"began_ns", (json_int_t)r->began_realtime_ns, "lasted_ns",
					r->lasted_ns, "calls", calls_json(p, r->calls), "goes_on",
					r->goes_on && p->state == PROCESS_RECORDING);
		json_array_append_new(all, one);
	}
	return all;
}

static json_t *process_json(const struct process *p)
{
	char run_id[33];
	const struct zprof_header *h = &p->header;
	json_t *o = json_object();
	run_id_text(h->run_id, run_id);
	json_object_set_new(o, "path", view_json_text(p->path));
	json_object_set_new(o, "command", view_json_text(p->command));
	json_object_set_new(o, "executable", view_json_text(p->exe));
	json_object_set_new(o, "host", view_json_text(p->host));
	json_object_set_new(o, "rank", view_json_text(p->rank));
	json_object_set_new(o, "options", view_json_text(p->options));
	json_object_set_new(o, "run", json_string(run_id));
	json_object_set_new(o, "pid", json_integer(h->pid));
	json_object_set_new(o, "parent_pid", json_integer(h->parent_pid));
	json_object_set_new(o, "started_ns", json_integer((json_int_t)h->start_realtime_ns));
	json_object_set_new(o, "elapsed_ns", json_real(p->elapsed_ns));
	json_object_set_new(o, "processes", json_integer(p->processes));
	json_object_set_new(o, "runs", json_integer(p->runs));
	json_object_set_new(o, "state", json_string(process_state_name(p->state)));
	json_object_set_new(o, "recordings", recordings_json(p));
	json_object_set_new(o, "finished", json_boolean(h->flags & ZPROF_FINISHED));
	json_object_set_new(o, "forked", json_boolean(h->flags & ZPROF_FORKED));
	json_object_set_new(o, "filtered", json_boolean(h->flags & ZPROF_FILTERED));
	json_object_set_new(o, "notes", notes_json(p));
	json_object_set_new(o, "calls", calls_json(p, p->calls));
	json_object_set_new(o, "turns", turns_json(p));
	json_object_set_new(o, "contexts", json_integer((json_int_t)p->node_count));
	json_object_set_new(o, "threads", json_integer((json_int_t)p->thread_count));
	json_object_set_new(o, "modules", json_integer((json_int_t)p->module_count));
	json_object_set_new(o, "archived_names", json_integer((json_int_t)p->name_count));
	json_object_set_new(o, "archived_sources", json_integer((json_int_t)p->source_count));
	json_object_set_new(o, "file_bytes", json_integer((json_int_t)p->file_bytes));
	json_object_set_new(o, "version", json_integer(h->version));
	return o;
}

static void print_json(const struct view *v, const struct derived *d)
{
	bool first = true;
	view_json_begin(v, d);
	view_json_array(v->terminal.out, "files");
	for (size_t i = 0; i < v->load.process_count; i++)
		if (is_selected(v, i))
			view_json_item(v->terminal.out, &first,
				       process_json(&v->load.processes[i]));
	view_json_array_end(v->terminal.out);
	view_json_threads(v);
	view_json_end(v->terminal.out);
}

static void show(struct view *v)
{
	struct derived d;
	derive(&d, v->tree, v->load.zones.count);
	if (v->options->json) {
		print_json(v, &d);
	} else {
		for (size_t i = 0; i < v->load.process_count; i++)
			if (is_selected(v, i)) {
				print_process(v, &v->load.processes[i]);
				if (v->options->by_thread)
					print_threads(v, i);
				fputs("\n", v->terminal.out);
			}
		print_modules(v);
		print_limits(v);
		view_print_losses(v);
	}
	derive_free(&d);
}

/* ---- functions that are left alone (--any) */

struct info_options {
	bool refused;
};

/* Prints the list of a module, or says why there is none. */
static bool print_refused(const struct terminal *t, const char *path, const uint8_t *build_id,
			  uint32_t bytes)
{
	struct str err = {0};
	bool printed = refused_print(t, path, build_id, bytes, &err);
	if (!printed)
		say("%s", err.text);
	str_free(&err);
	return printed;
}

static bool is_any(const struct process *p)
{
	for (size_t i = 0; i < p->note_count; i++)
		if (!strncmp(p->notes[i], "functions recorded without hooks",
			     strlen("functions recorded without hooks")))
			return true;
	return false;
}

static void show_refused(struct view *v)
{
	const struct zones *z = &v->load.zones;
	bool any = false;
	for (size_t i = 0; i < v->load.process_count; i++)
		any |= is_any(&v->load.processes[i]);
	if (!any)
		say("no function was recorded without hooks; 'zprof record --any' does that%s",
		    processor_lacks(PROCESSOR_PLANS) ? ", on x86-64" : "");
	for (size_t i = 0; any && i < z->module_count; i++) {
		const struct zone_module *m = &z->modules[i];
		if (m->entered && m->path[0] == '/' &&
		    !print_refused(&v->terminal, m->path, m->build_id, m->build_id_bytes))
			v->failed = true;
	}
	v->failed |= !any;
}

/* Prints the lists of programs and libraries, then those of the modules of profiles. */
static int run(struct options *o, struct str *err)
{
	const struct info_options *own = o->own;
	size_t kept = 0;
	bool printed = true;
	if (!own->refused)
		return command_show(show, o, err);
	const size_t count = o->path_count;
	for (size_t i = 0; i < count; i++)
		if (!refused_is_code(o->paths[i])) {
			o->paths[kept++] = o->paths[i];
		} else {
			struct terminal t;
			terminal_open(&t, o->color, o->width, false);
			printed &= print_refused(&t, o->paths[i], NULL, 0);
		}
	o->path_count = kept;
	if (kept || !count)
		return command_show(show_refused, o, err);
	int status = command_end();
	return printed ? status : EXIT_FAILED;
}

static const struct option_spec options[] = {
    {0, "refused", NULL, "What to print", OPTION_OWN_FLAG(info_options, refused),
     "print which functions '--any' leaves alone, and why, in the modules of the profiles, or in FILE if "
     "that is a program or a library"},
    OPTIONS_OF(options_parts),
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_part_of),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_json),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_terminal),
    OPTIONS_END,
};

const struct command cmd_info = {
    .name = "info",
    .options = options,
    .sums = true,
    .apart = true,
    .own_size = sizeof(struct info_options),
    .show = show,
    .run = run,
};
