/* SPDX-License-Identifier: MIT */
/*
 * callgrind.c - the profile format of Valgrind's callgrind, for callgrind_annotate and KCachegrind:
 * https://valgrind.org/docs/manual/cl-format.html
 *
 * The format has one inclusive cost per arc. callgrind_annotate takes a function's total as the sum
 * over the arcs from its callers, KCachegrind as the sum over the arcs to its callees. With
 * recursion no numbers satisfy both programs. So recursion is spread, with the names that callgrind
 * itself gives (f'2); then both sums are the total. For the sum over callers to be complete, each
 * thread is written as a function that calls the thread's outermost zones.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/visible.h"
#include "report/export/export.h"

struct callgrind {
	const struct export *e;
	bool *named; /* names are written once, later only their numbers */
	struct str text;
};

/* A thread is a function, too; its number is above the numbers of zones. */
static uint32_t thread_number(const struct callgrind *g, uint32_t thread)
{
	return (uint32_t)g->e->zones->count + thread;
}

static void put_text(struct callgrind *g, const char *key, const char *text)
{
	str_clear(&g->text);
	visible_add(&g->text, *text ? text : "???");
	fprintf(g->e->to, "%s%s\n", key, g->text.text);
}

static void put_function(struct callgrind *g, const char *key, uint32_t number)
{
	struct str name = {0};
	uint32_t zones = (uint32_t)g->e->zones->count;
	fprintf(g->e->to, "%s(%u)", key, number);
	if (g->named[number]) {
		fputc('\n', g->e->to);
		return;
	}
	g->named[number] = true;
	if (number >= zones)
		export_thread_name(g->e, number - zones, &name);
	else
		str_add(&name, "%s", export_zone_name(g->e, number));
	put_text(g, " ", name.text);
	str_free(&name);
}

/* Writes a line of costs: the source line, nanoseconds, and the further measures. */
static void put_cost(struct callgrind *g, uint32_t line, const struct cost *c)
{
	fprintf(g->e->to, "%u %" PRId64, line, export_ns(c));
	for (size_t i = 0; i < export_further_count(g->e); i++)
		fprintf(g->e->to, " %" PRId64, export_further(g->e, c, i));
	fputc('\n', g->e->to);
}

static void put_call(struct callgrind *g, uint32_t line, uint32_t callee, uint64_t calls,
		     const struct cost *total)
{
	const struct zone *z = &g->e->zones->list[callee];
	put_text(g, "cob=", export_module(g->e, callee));
	put_text(g, "cfi=", z->file);
	put_function(g, "cfn=", callee);
	/* Without a call, readers would take the cost for the caller's own. */
	fprintf(g->e->to, "calls=%" PRIu64 " %u\n", calls ? calls : 1, z->line);
	put_cost(g, line, total);
}

static void put_threads(struct callgrind *g)
{
	const struct tree *t = g->e->tree;
	struct cost *totals = tree_totals(t);
	const struct cost nothing = {0};
	for (uint32_t i = 0; i < t->thread_count; i++) {
		put_text(g, "\nob=", "");
		put_text(g, "fl=", "");
		put_function(g, "fn=", thread_number(g, i));
		put_cost(g, 0, &nothing);
		for (size_t n = 0; n < t->count; n++) {
			const struct node *node = &t->nodes[n];
			if (node->thread == i && node->zone && !t->nodes[node->parent].zone)
				put_call(g, 0, node->zone, node->calls, &totals[n]);
		}
	}
	free(totals);
}

static int by_caller(const void *left, const void *right)
{
	const struct arc *a = *(const struct arc *const *)left,
			 *b = *(const struct arc *const *)right;
	return memory_order(a->caller, b->caller) ?: memory_order(a->callee, b->callee);
}

/* The line from which the callee is called; the caller's first line if that is unknown. */
static uint32_t call_line(const struct export *e, const struct arc *a)
{
	const struct sites *s = &e->view->load.sites;
	uint32_t at =
	    sites_find(s, zones_unspread(e->zones, a->caller), zones_unspread(e->zones, a->callee));
	if (at != SITES_NONE && s->list[at].line)
		return s->list[at].line;
	return e->zones->list[a->caller].line;
}

static void put_functions(struct callgrind *g)
{
	const struct derived *d = g->e->derived;
	const struct arc **arcs = memory_resize(NULL, d->arc_count, sizeof *arcs);
	size_t next = 0;
	for (size_t i = 0; i < d->arc_count; i++)
		arcs[i] = &d->arcs[i];
	memory_sort(arcs, d->arc_count, by_caller);
	while (next < d->arc_count && !arcs[next]->caller)
		next++;
	for (uint32_t zone = 1; zone < d->function_count; zone++) {
		const struct zone *z = &g->e->zones->list[zone];
		if (!derive_used(&d->functions[zone]))
			continue;
		put_text(g, "\nob=", export_module(g->e, zone));
		put_text(g, "fl=", z->file);
		put_function(g, "fn=", zone);
		put_cost(g, z->line, &d->functions[zone].self);
		for (; next < d->arc_count && arcs[next]->caller == zone; next++)
			put_call(g, call_line(g->e, arcs[next]), arcs[next]->callee,
				 arcs[next]->calls, &arcs[next]->parent_total);
	}
	free(arcs);
}

/* Writes an event's name as one word of letters, digits and _. */
static void put_event(struct callgrind *g, const char *name)
{
	fputc(' ', g->e->to);
	for (const char *c = name; *c; c++)
		fputc((*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z') ? *c : '_',
		      g->e->to);
}

static bool write_profile(const struct export *e, struct str *err)
{
	struct callgrind g = {e, memory_zeroed(e->zones->count + e->tree->thread_count, 1), {0}};
	(void)err;
	fputs("# callgrind format\nversion: 1\ncreator: zprof\n", e->to);
	put_text(&g, "cmd: ", export_title(e));
	if (e->view->sampled)
		fputs("desc: Calls: not counted where 'calls=1'; the program was sampled\n", e->to);
	if (e->view->options->below)
		fputs("desc: Calls: not counted of functions '(sampled)', which have 'calls=1'\n",
		      e->to);
	fputs("positions: line\nevents: ns", e->to);
	for (size_t i = 0; i < export_further_count(e); i++)
		put_event(&g, export_further_name(e, i));
	fputs("\nsummary:", e->to);
	fprintf(e->to, " %" PRId64, export_ns(&e->derived->whole));
	for (size_t i = 0; i < export_further_count(e); i++)
		fprintf(e->to, " %" PRId64, export_further(e, &e->derived->whole, i));
	fputc('\n', e->to);
	put_threads(&g);
	put_functions(&g);
	str_free(&g.text);
	free(g.named);
	return true;
}

const struct export_format callgrind_format = {
    .name = "callgrind",
    .begins = "# callgrind format\nversion: 1\ncreator: zprof\n",
    .summary = "callgrind_annotate, KCachegrind",
    .adds_up = true,
    .spread = true,
    .write = write_profile,
};
