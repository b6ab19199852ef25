/* SPDX-License-Identifier: MIT */
/* limits.c - see limits.h. */
#include "report/core/load/limits.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/load/load.h"
#include "report/core/base/memory.h"
#include "report/core/base/option_text.h"
#include "report/core/base/units.h"

static void set_folded(struct limits *limits, uint32_t zone)
{
	while (zone >= limits->folded_room)
		limits->folded = memory_room(limits->folded, limits->folded_room,
					     &limits->folded_room, sizeof *limits->folded);
	limits->folded[zone] = true;
}

static bool is_overflow_table(const struct tree *t, uint32_t at)
{
	return !t->nodes[at].zone && t->nodes[at].parent != at;
}

static void add_node(struct load *l, const struct zprof_node *n, uint32_t at)
{
	struct limits *limits = &l->limits;
	struct node *node = &l->tree.nodes[at];
	uint32_t flags = ZPROF_NODE_FLAGS(n);
	if (flags & ZPROF_NODE_FOLDED) {
		limits->folded_calls += n->calls;
		set_folded(limits, node->zone);
	}
	if (flags & ZPROF_NODE_SPILLED || is_overflow_table(&l->tree, node->parent))
		node->low = node->zone != 0;
	if (node->zone && is_overflow_table(&l->tree, l->tree.nodes[node->parent].parent))
		limits->overflow_calls += n->calls;
}

void limits_add(struct load *l, const struct profile *p, const uint32_t *map)
{
	if (!l->limits.depth)
		l->limits.depth = option_text(p->options, "recursion");
	l->limits.entries |= (p->header.flags & ZPROF_ENTRIES) != 0;
	for (size_t i = 0; i < p->node_count; i++)
		if (map[i] != TREE_NONE && p->nodes[i].parent != PROFILE_NO_NODE)
			add_node(l, &p->nodes[i], map[i]);
}

void limits_free(struct limits *limits)
{
	free(limits->folded);
	free(limits->depth);
	*limits = (struct limits){0};
}

size_t limits_folded_zones(const struct limits *limits)
{
	size_t count = 0;
	for (size_t i = 0; i < limits->folded_room; i++)
		count += limits->folded[i];
	return count;
}

void limits_folded_text(const struct limits *limits, struct str *text)
{
	char calls[UNITS_TEXT], zones[UNITS_TEXT];
	size_t count = limits_folded_zones(limits);
	str_clear(text);
	if (!limits->folded_calls)
		return;
	str_add(text, "%s call%s of %s function%s folded (recursion%s%s): ",
		units_count(calls, limits->folded_calls), limits->folded_calls == 1 ? "" : "s",
		units_count(zones, count), count == 1 ? "" : "s",
		limits->depth     ? " deeper than "
		: limits->entries ? ", as always where functions end without a hook; "
				    "recursion=0 keeps its levels apart"
				  : " when max_nodes ran short",
		limits->depth ? limits->depth : "");
	str_add(text, "calls, times and arcs are as exact as without folding");
}

/* A call touches about 64 bytes of its context. So this many contexts take 4 MiB, more than the
 * caches of one core hold. */
#define MANY_CONTEXTS 65536u

void limits_contexts_text(const struct load *l, const struct derived *d, struct str *text)
{
	char count[UNITS_TEXT];
	size_t most = 0;
	bool at_one = l->limits.depth ? !strcmp(l->limits.depth, "1") : l->limits.entries;
	str_clear(text);
	for (size_t i = 0; i < l->process_count; i++)
		if (l->processes[i].node_count > most)
			most = l->processes[i].node_count;
	if (most <= MANY_CONTEXTS)
		return;
	str_add(text,
		"%s contexts are more than a processor's caches hold, so each call took "
		"longer to count; ",
		units_count(count, most));
	if (d->recursive * 2 > d->contexts && !at_one)
		str_add(text,
			"%.0f %% of them are recursion: with recursion=1 they are fewer, and calls "
			"and times are as exact",
			100.0 * (double)d->recursive / (double)d->contexts);
	else
		str_add(text, "recording fewer functions (only=, zprof tune) makes them fewer");
}

void limits_overflow_text(const struct limits *limits, uint64_t calls, struct str *text)
{
	char some[UNITS_TEXT], all[UNITS_TEXT];
	str_clear(text);
	if (limits->overflow_calls)
		str_add(
		    text,
		    "there was no room for more contexts (max_nodes, or a full disk): %s of %s calls "
		    "are told apart by caller and callee alone; totals marked >= may be more",
		    units_count(some, limits->overflow_calls), units_count(all, calls));
}
