/* SPDX-License-Identifier: MIT */
/* model_reference.c - see model_reference.h. */
#include "tests/hooks/model_reference.h"

#include <stdlib.h>
#include <string.h>

struct ref ref;

int ref_child(struct ref_lineage *l, int parent, int zone)
{
	int *child = &l->context[parent].child[zone];
	if (!*child) {
		if (l->count == REF_CONTEXTS)
			abort();
		*child = l->count++;
		l->context[*child] = (struct ref_context){.parent = parent, .zone = zone};
	}
	return *child;
}

int ref_current(int level)
{
	const struct ref_level *k = &ref.level[level];
	int context = level ? k->base : 0;
	for (int i = 0; i < k->line.count; i++)
		context = ref_child(ref.lineage, context, k->line.zone[i].zone);
	return context;
}

static struct ref_context *current(int level)
{
	int i = ref_current(level);
	return &ref.lineage->context[i];
}

static void empty(struct ref_lineage *l, int first_zone)
{
	if (!l->context)
		l->context = malloc(REF_CONTEXTS * sizeof *l->context);
	memset(l->context, 0, sizeof *l->context);
	l->count = 1;
	l->used = true;
	l->open = 0;
	l->first_zone = first_zone;
}

static void forget_current(void)
{
	ref.jumps += (uint64_t)ref.level[0].line.count;
	ref.level[0].line.count = 0;
	ref.forgotten = false;
}

/* A handler on the signal stack ends without the stack that it interrupted. */
static void leave_signal_stack(void)
{
	struct ref_line *line = &ref.level[0].line;
	for (; line->count && line->zone[line->count - 1].alternate; line->count--)
		ref.jumps++;
}

void ref_thread(uint64_t ticks, int zone, int stack)
{
	struct ref_lineage *l = &ref.lineages[zone];
	if (ref.newborn) /* the thread ended before its first event */
		ref.lineage->used = false;
	ref.newborn = false;
	if (ref.forgotten)
		forget_current();
	if (ref.lineage && ref.stack < 2) /* the thread's own stack, which ends with it */
		ref.lineage->open = ref.level[0].line.count;
	else if (ref.lineage)
		ref.stacks[ref.stack] = ref.level[0].line;
	if (!l->used)
		empty(l, zone);
	ref.jumps += (uint64_t)l->open;
	l->open = 0;
	ref.lineage = l;
	memset(ref.level, 0, sizeof ref.level);
	ref.level[0].last = ticks;
	if (stack < 2)
		ref.jumps += (uint64_t)ref.stacks[stack].count;
	else
		ref.level[0].line = ref.stacks[stack];
	ref.stacks[stack].count = 0;
	ref.stack = stack;
}

static void charge(int level, uint64_t ticks)
{
	struct ref_level *k = &ref.level[level];
	if (ticks > k->last) {
		current(level)->self += ticks - k->last;
		k->last = ticks;
	}
}

static void change_stack(int to)
{
	struct ref_line *line = &ref.level[0].line;
	if (ref.forgotten)
		forget_current();
	leave_signal_stack();
	ref.stacks[ref.stack] = *line;
	*line = ref.stacks[to];
	ref.stacks[to].count = 0;
	ref.stack = to;
	ref.switches++;
}

void ref_arrive(int level, uint64_t ticks, int stack, const struct ref_line *truth)
{
	struct ref_level *k = &ref.level[level];
	int same = 0;
	if (ref.newborn)
		k->last = ticks;
	ref.newborn = false;
	if (level && k->line.count == 0) {
		k->base = ref_current(level - 1);
		k->last = k->since = ticks > k->last ? ticks : k->last;
	}
	charge(level, ticks);
	if (level == 0 && stack != ref.stack)
		change_stack(stack);
	while (same < k->line.count && same < truth->count &&
	       k->line.zone[same].uid == truth->zone[same].uid)
		same++;
	ref.jumps += (uint64_t)(k->line.count - same);
	k->line.count = same;
}

void ref_enter(int level, struct ref_zone zone)
{
	struct ref_line *line = &ref.level[level].line;
	if (line->count == REF_DEPTH)
		abort();
	line->zone[line->count++] = zone;
	current(level)->calls++;
}

void ref_leave(int level)
{
	struct ref_level *k = &ref.level[level];
	k->line.count--;
	if (level && k->line.count == 0)
		ref.level[level - 1].stolen += k->last - k->since;
}

void ref_settle(int level)
{
	struct ref_level *k = &ref.level[level];
	if (level && k->line.count == 0)
		k[-1].stolen += k->stolen;
	else
		current(level)->self -= k->stolen;
	k->stolen = 0;
}

void ref_recover(int level, uint64_t ticks)
{
	for (int l = REF_LEVELS - 1; l > level; l--) {
		struct ref_level *k = &ref.level[l];
		if (k->line.count)
			charge(l, ticks);
		ref_settle(l);
		ref.jumps += (uint64_t)k->line.count;
		if (k->line.count)
			k[-1].stolen += k->last - k->since;
		k->line.count = 0;
	}
	ref_settle(level);
	ref.hooks++;
}

void ref_forget(int stack)
{
	ref.forgotten |= stack == ref.stack;
	ref.jumps += (uint64_t)ref.stacks[stack].count;
	ref.stacks[stack].count = 0;
}

void ref_fork(void)
{
	struct ref_lineage *mine = ref.lineage;
	for (int i = 0; i < REF_ZONES; i++)
		ref.lineages[i].used = false;
	empty(mine, mine->first_zone);
	ref.jumps = ref.switches = ref.hooks = 0;
	ref.newborn = true;
	ref.level[0].stolen = 0;
	memset(ref.level + 1, 0, (REF_LEVELS - 1) * sizeof *ref.level);
}
