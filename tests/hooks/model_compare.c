/* SPDX-License-Identifier: MIT */
/* model_compare.c - see model_compare.h. */
#include "tests/hooks/model_compare.h"

#include "tests/hooks/model_world.h"

#include "preload/clock/tick.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/track/lineage.h"

#include <stdio.h>

void compare_must(const char *what, uint64_t got, uint64_t wanted)
{
	if (got != wanted)
		world_fail(what, (int64_t)got, (int64_t)wanted);
}

struct track *compare_track(int level)
{
	return level ? track_self.lineage->levels[level] : &track_self;
}

static int zone_of(const struct zprof_node *node)
{
	for (int i = 0; i < MODEL_ZONES; i++)
		if (node->zone == model_zone_address(i))
			return i;
	return MODEL_ZONES; /* [zprof] */
}

static int context_of(struct ref_lineage *l, char *base, const struct zprof_node *node)
{
	if (!node->parent)
		return 0;
	return ref_child(l, context_of(l, base, node_at(base, node->parent)), zone_of(node));
}

static struct ref_lineage *reference_of(uint32_t thread)
{
	struct lineage *l = process_now->lineages;
	while (l && l->record->id != thread)
		l = l->next;
	for (int i = 0; l && i < MODEL_ZONES; i++)
		if (ref.lineages[i].used &&
		    l->first_zone == model_zone_address(ref.lineages[i].first_zone))
			return &ref.lineages[i];
	return NULL;
}

static void add_nodes(const struct zprof_section *s)
{
	struct ref_lineage *l = reference_of(s->thread);
	const struct zprof_node *node = (const struct zprof_node *)(s + 1);
	const struct zprof_node *end = (const struct zprof_node *)((const char *)s + s->used);
	if (!l)
		world_fail("a thread that never existed", s->thread, 0);
	for (; node < end; node++) {
		struct ref_context *c = &l->context[context_of(l, process_now->file->base, node)];
		c->lib_calls += node->calls;
		c->lib_self += node->self_ticks;
	}
}

void compare_contexts(void)
{
	const char *base = process_now->file->base;
	uint64_t calls_off = 0, ticks_off = 0;
	for (uint64_t at = ZPROF_GRANULE; at < process_now->file->end;) {
		const struct zprof_section *s = (const struct zprof_section *)(base + at);
		if (s->type == ZPROF_SECTION_NODES)
			add_nodes(s);
		at += s->bytes ? s->bytes : ZPROF_GRANULE;
	}
	for (int i = 0; i < MODEL_ZONES; i++) {
		struct ref_lineage *l = &ref.lineages[i];
		for (int j = 0; l->used && j < l->count; j++) {
			struct ref_context *c = &l->context[j];
			if (world_verbose && (c->lib_calls != c->calls || c->lib_self != c->self))
				printf("# thread of %d, context %d: zone %d below %d, %lld calls "
				       "for %lld, %lld ticks for %lld\n",
				       i, j, c->zone, c->parent, (long long)c->lib_calls,
				       (long long)c->calls, (long long)c->lib_self,
				       (long long)c->self);
			calls_off += c->lib_calls != c->calls;
			ticks_off += c->lib_self != c->self;
			c->lib_calls = c->lib_self = 0;
		}
	}
	compare_must("contexts with other calls", calls_off, 0);
	compare_must("contexts with other ticks", ticks_off, 0);
}

void compare_sound(const char *wrong)
{
	if (wrong) {
		printf("# %s\n", wrong);
		world_fail("invariants", 0, 1);
	}
}

void compare_counters(void)
{
	const uint64_t *n = process_now->header->counters;
	compare_must("jumps", n[ZPROF_REPAIR_JUMP], ref.jumps);
	compare_must("switches", n[ZPROF_REPAIR_SWITCH], ref.switches);
	compare_must("hooks abandoned", n[ZPROF_REPAIR_HOOK], ref.hooks);
	for (int i = ZPROF_LOSS_BUDGET; i <= ZPROF_LOSS_CLOCK_BACK; i++)
		compare_must("losses", n[i], 0);
}

void compare_path(int level)
{
	const struct track *k = compare_track(level);
	int context = ref_current(level);
	const struct zprof_node *node = k->top->node;
	world_events++;
	compare_must("jumps", process_now->header->counters[ZPROF_REPAIR_JUMP], ref.jumps);
	for (; node->parent; node = node_at(k->base, node->parent)) {
		compare_must("zone on the stack", (uint64_t)zone_of(node),
			     (uint64_t)(context ? ref.lineage->context[context].zone : -1));
		context = ref.lineage->context[context].parent;
	}
	compare_must("depth of the stack", 0, (uint64_t)context);
}
