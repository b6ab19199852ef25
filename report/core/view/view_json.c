/* SPDX-License-Identifier: MIT */
/*
 * view_json.c - prints the outer object that all JSON output of views has. The objects inside are
 * printed one by one as they are made, so a report of a million arcs is never in memory as a whole.
 */
#include <stdio.h>
#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/core/load/ended.h"
#include "report/core/view/view.h"
#include "report/core/base/visible.h"

static const char *const counter_names[] = {
#define X(name, text) #name,
    ZPROF_COUNTERS(X)
#undef X
};

json_t *view_json_calls(const struct view *v, uint64_t calls)
{
	return view_uncounted(v, calls) ? json_null() : json_integer((json_int_t)calls);
}

json_t *view_json_losses(const uint64_t *losses)
{
	json_t *o = json_object();
	for (int i = 0; i < ZPROF_COUNTERS_USED; i++) {
		char name[64];
		size_t n = 0;
		for (const char *c = counter_names[i]; *c && n < sizeof name - 1; c++)
			name[n++] = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
		name[n] = 0;
		if (losses[i])
			json_object_set_new(o, name, json_integer((json_int_t)losses[i]));
	}
	return o;
}

static json_t *json_clock(const struct view *v)
{
	static const char *const clocks[] = {"unknown", "tsc", "monotonic", "fake"};
	static const char *const modes[] = {"unknown", "exact", "unknown", "count"};
	static const char *const samplers[] = {"none", "kernel", "user", "timer"};
	const struct zprof_header *h = &v->load.processes[0].header;
	return json_pack("{s:s,s:s,s:f,s:s}", "mode", modes[h->mode < 4 ? h->mode : 0], "source",
			 clocks[h->clock < 4 ? h->clock : 0], "hz",
			 1e9 / load_ns_per_tick(&v->load), "sampler",
			 samplers[h->sampler < 4 ? h->sampler : 0]);
}

static json_t *json_overhead(const struct view *v, const struct derived *d)
{
	const struct zprof_header *h = &v->load.processes[0].header;
	return json_pack("{s:b,s:f,s:f,s:f,s:f,s:f}", "taken_off", !v->load.raw, "total_ns",
			 load_hook_ns(&v->load), "error_ns", cost_total_bar(&d->functions[0].total),
			 "callee_ticks_per_call", h->hook_callee_milliticks / 1000.0,
			 "caller_ticks_per_call", h->hook_caller_milliticks / 1000.0,
			 "error_ticks_per_call", h->hook_error_milliticks / 1000.0);
}

static json_t *json_whole(const struct view *v, const struct derived *d)
{
	json_t *o = json_object();
	json_object_set_new(o, "time", json_string(measure_name(v->measure)));
	json_object_set_new(o, "whole_ns", json_real(d->whole.ns));
	json_object_set_new(o, "samples", json_integer((json_int_t)load_samples(&v->load)));
	json_object_set_new(o, "second_run",
			    json_boolean(load_second_runs(&v->load) == v->load.process_count));
	if (v->sampled)
		json_object_set_new(o, "sampled", json_true());
	view_json_absences(o, v, "whole", &d->whole, cost_total_bar);
	return o;
}

json_t *view_json_text(const char *text)
{
	json_t *t = json_string(text);
	if (t)
		return t;
	struct str plain = {0}; /* each byte that is not UTF-8 becomes U+FFFD */
	while (*text) {
		uint32_t number;
		size_t n = visible_character(text, &number);
		str_add_bytes(&plain, n ? text : "\xef\xbf\xbd", n ? n : 3);
		text += n ? n : 1;
	}
	t = json_string(str_text(&plain));
	str_free(&plain);
	return t;
}

/* Appends the sentence about it to NOTES. */
static json_t *json_folded(const struct limits *l, json_t *notes)
{
	struct str text = {0};
	limits_folded_text(l, &text);
	json_array_append_new(notes, view_json_text(text.text));
	str_free(&text);
	return json_pack("{s:I,s:I}", "calls", (json_int_t)l->folded_calls, "functions",
			 (json_int_t)limits_folded_zones(l));
}

static json_t *json_overflow(const struct load *l, json_t *notes)
{
	struct str text = {0};
	limits_overflow_text(&l->limits, load_calls(l), &text);
	json_array_append_new(notes, view_json_text(text.text));
	str_free(&text);
	return json_pack("{s:I}", "calls", (json_int_t)l->limits.overflow_calls);
}

/* Prints a character as JSON escapes it; one beyond 16 bits as two halves. */
static void put_escaped(FILE *to, uint32_t c)
{
	if (c > 0xffff)
		fprintf(to, "\\u%04x\\u%04x", 0xd7c0 + (unsigned)(c >> 10),
			0xdc00 + (unsigned)(c & 0x3ff));
	else
		fprintf(to, "\\u%04x", (unsigned)c);
}

void view_json_write(FILE *to, json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
	if (!text)
		memory_exhausted(0);
	for (const char *at = text, *from = text; *from; from = at) {
		uint32_t number = 0;
		size_t n = 0;
		while (*at && (n = visible_character(at, &number)) && !visible_is_hidden(number))
			at += n;
		fwrite(from, 1, (size_t)(at - from), to);
		if (*at) {
			put_escaped(to, number);
			at += n;
		}
	}
	free(text);
	json_decref(value);
}

/* Appends the sentence about it to NOTES. */
static json_t *json_refused(const struct left_alone *a, json_t *notes)
{
	struct str text = {0};
	left_alone_text(a, &text);
	json_array_append_new(notes, view_json_text(text.text));
	str_free(&text);
	return json_pack("{s:I,s:f,s:f,s:b}", "functions", (json_int_t)a->functions, "sampled_ns",
			 a->ns, "of_ns", a->of_ns, "at_least", a->at_least);
}

static void add_contexts(const struct view *v, const struct derived *d, json_t *notes)
{
	struct str text = {0};
	limits_contexts_text(&v->load, d, &text);
	if (text.used)
		json_array_append_new(notes, view_json_text(text.text));
	str_free(&text);
}

void view_json_member(FILE *to, const char *name, json_t *value)
{
	fprintf(to, ",\n\"%s\":", name);
	view_json_write(to, value);
}

/* The processes that were loaded; a merged profile has one for each rank. */
static void put_processes(FILE *to, const struct load *l)
{
	bool first = true;
	view_json_array(to, "process_list");
	for (size_t i = 0; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		json_t *one = json_pack(
		    "{s:I,s:I,s:o,s:o,s:I,s:f,s:o}", "pid", (json_int_t)p->header.pid, "parent_pid",
		    (json_int_t)p->header.parent_pid, "command", view_json_text(p->command), "rank",
		    view_json_text(p->rank), "processes", (json_int_t)p->processes, "elapsed_ns",
		    p->elapsed_ns, "calls",
		    p->header.flags & ZPROF_SAMPLED && !p->calls
			? json_null()
			: json_integer((json_int_t)p->calls));
		if (p->recording_count > 1)
			json_object_set_new(one, "recordings", json_integer(p->recording_count));
		if (p->recording)
			json_object_set_new(one, "recording", json_integer(p->recording));
		view_json_item(to, &first, one);
	}
	view_json_array_end(to);
}

static void add_ended(const struct load *l, json_t *notes)
{
	struct str text = {0};
	ended_add_all(&text, l);
	if (text.used)
		json_array_append_new(notes, view_json_text(text.text));
	str_free(&text);
}

void view_json_begin(const struct view *v, const struct derived *d)
{
	const struct process *p = &v->load.processes[0];
	json_t *command = json_array(), *notes = json_array();
	struct str left_out = {0};
	for (size_t i = 0; i < p->argument_count; i++)
		json_array_append_new(command, view_json_text(p->arguments[i]));
	for (size_t i = 0; i < v->load.process_count; i++)
		for (size_t k = 0; k < v->load.processes[i].note_count; k++)
			json_array_append_new(notes, view_json_text(v->load.processes[i].notes[k]));
	for (size_t i = 0; load_left_out_text(&v->load, i, &left_out); i++)
		json_array_append_new(notes, view_json_text(left_out.text));
	str_free(&left_out);
	add_ended(&v->load, notes);
	fprintf(v->terminal.out, "{\"schema\":\"zprof/1\"");
	view_json_member(v->terminal.out, "command", command);
	view_json_member(v->terminal.out, "processes",
			 json_integer((json_int_t)load_processes(&v->load)));
	view_json_member(v->terminal.out, "elapsed_ns", json_real(load_elapsed_ns(&v->load)));
	put_processes(v->terminal.out, &v->load);
	view_json_member(v->terminal.out, "clock", json_clock(v));
	view_json_member(v->terminal.out, "overhead", json_overhead(v, d));
	view_json_member(v->terminal.out, "times", json_whole(v, d));
	view_json_member(v->terminal.out, "losses", view_json_losses(v->load.counters));
	add_contexts(v, d, notes);
	if (v->left_alone.functions)
		view_json_member(v->terminal.out, "refused", json_refused(&v->left_alone, notes));
	if (v->load.limits.folded_calls)
		view_json_member(v->terminal.out, "folded", json_folded(&v->load.limits, notes));
	if (v->load.limits.overflow_calls)
		view_json_member(v->terminal.out, "overflow", json_overflow(&v->load, notes));
	view_json_member(v->terminal.out, "notes", notes);
}

void view_json_array(FILE *to, const char *name)
{
	fprintf(to, ",\n\"%s\":[", name);
}

void view_json_item(FILE *to, bool *first, json_t *object)
{
	fputs(*first ? "\n" : ",\n", to);
	*first = false;
	view_json_write(to, object);
}

void view_json_counters(json_t *object, const struct view *v, const struct cost *self,
			const struct cost *total)
{
	if (!v->load.column_count)
		return;
	json_t *all = json_array();
	for (size_t i = 0; i < v->load.column_count; i++) {
		json_t *one = json_pack("{s:o,s:I}", "name", view_json_text(v->load.columns[i]),
					"self", (json_int_t)self->counter[i]);
		if (total)
			json_object_set_new(one, "total",
					    json_integer((json_int_t)total->counter[i]));
		json_array_append_new(all, one);
	}
	json_object_set_new(object, "counters", all);
}

static void put_absence(json_t *object, const struct view *v, const char *prefix, const char *name,
			json_t *value)
{
	struct str key = {0};
	str_add(&key, "%s_%s", prefix, name);
	json_object_set_new(object, key.text, v->knows_waits ? json_incref(value) : json_null());
	json_decref(value);
	str_free(&key);
}

void view_json_waits(json_t *object, const struct view *v, const char *prefix, const struct cost *c)
{
	put_absence(object, v, prefix, "waited_ns", json_real(c->wait_ns));
	put_absence(object, v, prefix, "waits", json_integer((json_int_t)c->waits));
}

void view_json_absences(json_t *object, const struct view *v, const char *prefix,
			const struct cost *c, double (*bar)(const struct cost *c))
{
	struct cost cpu = view_measured(v, TIME_CPU, c), wait = view_measured(v, TIME_WAIT, c),
		    wall = view_measured(v, TIME_WALL, c);
	put_absence(object, v, prefix, "on_cpu_ns", json_real(cpu.ns));
	put_absence(object, v, prefix, "on_cpu_error_ns", json_real(bar(&cpu)));
	view_json_waits(object, v, prefix, c);
	put_absence(object, v, prefix, "waited_error_ns", json_real(bar(&wait)));
	put_absence(object, v, prefix, "preempted_ns", json_real(c->preempted_ns));
	put_absence(object, v, prefix, "preemptions", json_integer((json_int_t)c->preemptions));
	put_absence(object, v, prefix, "wall_ns", json_real(wall.ns));
	put_absence(object, v, prefix, "wall_error_ns", json_real(bar(&wall)));
}

void view_json_array_end(FILE *to)
{
	fputs("]", to);
}

void view_json_end(FILE *to)
{
	fputs("\n}\n", to);
}

static json_t *json_thread(const struct load_thread *t)
{
	return json_pack("{s:I,s:I,s:o,s:I,s:I,s:I}", "tid", (json_int_t)t->thread.tid, "pid",
			 (json_int_t)t->thread.pid, "name", view_json_text(t->thread.name), "count",
			 (json_int_t)t->thread.count, "ticks", (json_int_t)t->ticks,
			 "outside_ticks", (json_int_t)t->outside_ticks);
}

void view_json_threads(const struct view *v)
{
	bool first = true;
	const struct tree *t = v->tree;
	const struct load *l = &v->load;
	view_json_array(v->terminal.out, "threads");
	for (size_t i = 0; i < l->thread_count; i++)
		view_json_item(v->terminal.out, &first, json_thread(&l->threads[i]));
	int64_t *ticks = tree_thread_ticks(t);
	for (size_t i = 0; !l->thread_count && i < t->thread_count; i++) {
		const struct tree_thread *one = &t->threads[i];
		view_json_item(v->terminal.out, &first,
			       json_thread(&(struct load_thread){*one, ticks[i],
								 t->nodes[one->root].self.ticks}));
	}
	view_json_array_end(v->terminal.out);
	free(ticks);
}
