/* SPDX-License-Identifier: MIT */
/* view_head.c - the lines above and below the rows of a text report. */
#include <ctype.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/base/wrap.h"
#include "report/core/view/head_lines.h"

static void add_count(struct str *to, uint64_t n, const char *one, const char *end)
{
	char text[UNITS_TEXT];
	str_add(to, "%s%s", units_of(text, n, one), end);
}

/* The program's calls: waits are shown as calls (offcpu=1), but are not. */
static uint64_t program_calls(const struct view *v, const struct derived *d)
{
	uint64_t calls = d->calls;
	for (size_t i = 1; i < d->function_count; i++)
		if (v->load.zones.list[d->functions[i].zone].kind == ZPROF_ZONE_WAIT)
			calls -= d->functions[i].calls;
	return calls;
}

/* How long the program ran, and what it did: `elapsed 8.30 s; on a processor 1.61 s in 5 threads;
 * 27,000 calls`. */
static void add_what_ran(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct load *l = &v->load;
	if (!v->fake && load_elapsed_ns(l) > 0)
		str_add(to, "elapsed %s; ", units_time(text, load_elapsed_ns(l), false));
	if (v->fake && !v->counts_only)
		str_add(to, "%s ticks in ", view_time(v, text, d->whole.ns));
	else if (v->knows_waits)
		str_add(to, "on a processor %s in ", view_time(v, text, d->whole.cpu_ns));
	else if (!v->counts_only)
		str_add(to, "%s in ", view_time(v, text, d->whole.ns));
	add_count(to, head_threads(v), "thread", load_processes(l) > 1 ? " of " : "; ");
	if (load_processes(l) > 1)
		add_count(to, load_processes(l), "process", "; ");
	if (v->all_sampled)
		str_add(to, "calls were not counted\n");
	else
		add_count(to, program_calls(v, d), "call", "\n");
}

static void add_filters(struct str *to, const struct view *v)
{
	struct str filters = {0};
	if (head_filters(v, &filters)) {
		visible_add(to, filters.text);
		str_add(to, "\n");
	}
	str_free(&filters);
}

static void add_head(struct str *to, const struct view *v, const struct derived *d)
{
	const struct process *first = &v->load.processes[0];
	visible_add(to, *first->command ? first->command : first->path);
	str_add(to, "\n");
	add_what_ran(to, v, d);
	head_add_times(to, v, d);
	head_add_waits(to, v, d);
	head_add_rows(to, v, d);
	add_filters(to, v);
	head_add_notes(to, v, d);
	head_add_heaviness(to, v, d);
	str_add(to, "\n");
}

void view_print_head(const struct view *v, const struct derived *d)
{
	struct str text = {0};
	add_head(&text, v, d);
	wrap_print(&v->terminal, text.text);
	str_free(&text);
}

static const char *const counter_texts[] = {
#define X(name, text) text,
    ZPROF_COUNTERS(X)
#undef X
};

/* Whether a counter tells what the program did, and not what the library lost or put right.
 * REPAIR_JUMP cannot tell a jump from an exit that the library missed; tests look for the latter. */
static bool is_fact(int kind)
{
	return kind == ZPROF_REPAIR_JUMP || kind == ZPROF_REPAIR_SWITCH;
}

void view_print_losses(const struct view *v)
{
	view_print_losses_of(v, v->load.counters, "");
}

void view_print_losses_of(const struct view *v, const uint64_t *losses, const char *of)
{
	char count[UNITS_TEXT];
	struct str facts = {0}, wrong = {0};
	for (int i = 0; i < ZPROF_COUNTERS_MAX; i++) {
		uint64_t n = losses[i];
		const char *text = i < ZPROF_COUNTERS_USED
				       ? counter_texts[i]
				       : "of a kind that this zprof does not know";
		if (n && is_fact(i))
			str_add(&facts, "%s%s%c%s: %s\n", facts.used ? "" : "\n", of,
				*of ? *text : toupper((unsigned char)*text), text + 1,
				units_count(count, n));
		else if (n && !wrong.used)
			str_add(&wrong, "\n%s%s went wrong or was put right:\n", of,
				*of ? "what" : "What");
		if (n && !is_fact(i))
			str_add(&wrong, "%14s  %s\n", units_count(count, n), text);
	}
	wrap_print(&v->terminal, str_text(&facts));
	wrap_print_indented(&v->terminal, str_text(&wrong), 16);
	str_free(&facts);
	str_free(&wrong);
}

/* ---- as texts */

/* V, which prints into memory: into *TEXT, once its stream is closed. */
static struct view view_into(const struct view *v, char **text, size_t *bytes)
{
	struct view in_memory = *v;
	in_memory.terminal.out = memory_stream(text, bytes);
	return in_memory;
}

char *view_head_text(const struct view *v, const struct derived *d)
{
	char *text;
	size_t bytes;
	struct view in_memory = view_into(v, &text, &bytes);
	view_print_head(&in_memory, d);
	memory_stream_end(in_memory.terminal.out, &text);
	return text;
}

char *view_losses_text(const struct view *v)
{
	char *text;
	size_t bytes;
	struct view in_memory = view_into(v, &text, &bytes);
	view_print_losses(&in_memory);
	memory_stream_end(in_memory.terminal.out, &text);
	return text;
}
