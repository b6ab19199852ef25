/* SPDX-License-Identifier: MIT */
/* parts.c - see parts.h. */
#include "report/callgraph/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/base/wrap.h"

static void thread_head(const struct view *v, const struct tree_thread *t, const struct derived *d,
			struct str *to)
{
	char text[UNITS_TEXT];
	str_add(to, "thread '");
	visible_add(to, t->name);
	if (t->pid)
		str_add(to, "' (number %u of process %u", t->tid, t->pid);
	else
		str_add(to, "' (number %u of a merged process", t->tid);
	if (t->count > 1)
		str_add(to, ", the last of %s one after another", units_count(text, t->count));
	str_add(to, "): %s\n\n",
		v->counts_only ? "calls only" : view_time(v, text, view_shown(v, &d->whole).ns));
}

static void process_head(const struct view *v, const struct process *p, const struct derived *d,
			 struct str *to)
{
	char text[UNITS_TEXT];
	if (p->processes > 1)
		str_add(to, "%s", units_of(text, p->processes, "process"));
	else
		str_add(to, "process %u", p->header.pid);
	str_add(to, " (");
	visible_add(to, *p->command ? p->command : p->path);
	str_add(to, "): %s",
		v->counts_only ? "calls only" : view_time(v, text, view_shown(v, &d->whole).ns));
	if (p->elapsed_ns > 0 && !v->fake)
		str_add(to, ", elapsed %s", units_time(text, p->elapsed_ns, false));
	str_add(to, "\n\n");
}

static void text_part(struct view *v, const struct parts_of *how, size_t number, bool first)
{
	struct derived d;
	struct str head = {0};
	derive(&d, v->tree, v->load.zones.count);
	str_add(&head, "%s", first ? "" : "\n");
	if (v->options->by_process)
		process_head(v, &v->load.processes[number], &d, &head);
	else
		thread_head(v, &v->tree->threads[0], &d, &head);
	wrap_print(&v->terminal, head.text);
	str_free(&head);
	how->text(v, &d);
	derive_free(&d);
}

/* An item of "by_thread" or "by_process": which one it is, then the command's own members. */
static void json_part(struct view *v, const struct parts_of *how, size_t number, bool first)
{
	struct derived d;
	derive(&d, v->tree, v->load.zones.count);
	fputs(first ? "\n{" : ",\n{", v->terminal.out);
	if (v->options->by_process) {
		const struct process *p = &v->load.processes[number];
		fprintf(v->terminal.out, "\"process\":%zu,\"pid\":%u", number, p->header.pid);
	} else {
		const struct tree_thread *t = &v->tree->threads[0];
		fprintf(v->terminal.out, "\"tid\":%u,\"pid\":%u", t->tid, t->pid);
	}
	how->json(v, &d);
	fprintf(v->terminal.out, "}");
	derive_free(&d);
}

/*
 * The number of each thread's part. Processes without a thread that passes the filters have none.
 */
static uint32_t *number_parts(const struct view *v)
{
	const struct tree *t = v->tree;
	uint32_t *part_of = memory_resize(NULL, t->thread_count, sizeof *part_of);
	for (size_t i = 0; i < t->thread_count; i++)
		part_of[i] = v->options->by_process ? t->threads[i].process : (uint32_t)i;
	return part_of;
}

static void each_part(struct view *v, const struct parts_of *how)
{
	bool first = true;
	struct tree *whole = v->tree;
	uint32_t *part_of = number_parts(v);
	size_t count = v->options->by_process ? v->load.process_count : whole->thread_count;
	struct tree *parts = filters_split(whole, part_of, count);
	for (size_t i = 0; i < count; i++) {
		if (parts[i].count) {
			v->tree = &parts[i];
			(v->options->json ? json_part : text_part)(v, how, i, first);
			first = false;
		}
		tree_free(&parts[i]);
	}
	v->tree = whole;
	free(parts);
	free(part_of);
}

static void show_json(struct view *v, const struct parts_of *how, const struct derived *d)
{
	view_json_begin(v, d);
	if (v->options->by_thread || v->options->by_process) {
		view_json_threads(v);
		view_json_array(v->terminal.out,
				v->options->by_process ? "by_process" : "by_thread");
		each_part(v, how);
		view_json_array_end(v->terminal.out);
	} else {
		how->json(v, d);
		view_json_threads(v);
	}
	view_json_end(v->terminal.out);
}

void parts_table(struct table *t, const struct view *v, const struct table_column *columns,
		 int count)
{
	struct str err = {0};
	table_init(t, columns, count);
	if (v->options->columns)
		table_choose(t, v->options->columns, &err); /* parts_show() has checked them */
	str_free(&err);
}

static bool check_columns(struct view *v, const struct parts_of *how)
{
	struct counter_columns c;
	struct table t;
	struct str err = {0};
	if (!v->options->columns || v->options->json)
		return true;
	table_init(&t, c.columns, how->columns(v, &c));
	bool ok = table_choose(&t, v->options->columns, &err);
	if (!ok) {
		say("--format: %s", err.text);
		v->failed = true;
	}
	str_free(&err);
	table_free(&t);
	return ok;
}

void parts_show(struct view *v, const struct parts_of *how)
{
	struct derived d;
	if (!check_columns(v, how))
		return;
	derive(&d, v->tree, v->load.zones.count);
	if (v->options->json) {
		show_json(v, how, &d);
	} else {
		view_print_head(v, &d);
		if (v->options->by_thread || v->options->by_process)
			each_part(v, how);
		else
			how->text(v, &d);
		view_print_losses(v);
	}
	derive_free(&d);
}
