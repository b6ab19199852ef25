/* SPDX-License-Identifier: MIT */
/*
 * zones_random.c - calls of zprof.h at random, right and wrong ones, against a plain model of what
 * they should do.
 *
 *   zones_random [SEQUENCES [SEED]]       preloaded, with the fake clock, output=FILE; prints TAP
 *
 * The model keeps a zone stack of its own, in which everything is counted by hand, one tick for
 * each event that reads the clock. At the end the profile, which is complete at any moment, is
 * read: it must hold the same contexts with the same numbers, and as many misuses as were made.
 * Native zones come in between: functions that go on making such calls, and are left by return or
 * by longjmp.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/format.h"
#include "preload/zprof.h"

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline))

enum { LENT = 4, NATIVE = 2, DEEPEST = 7, HANDLES = 6, CONTEXTS = 1 << 19, COUNTERS = 2 };

/* ---- random numbers: xorshift64 */

static uint64_t state, seed;

UNSEEN static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)((state >> 33) % n);
}

/* ---- the model */

/* Zones: 1 to LENT lent, then LENT + 1 unknown, then natives; 0 the root. */
struct context {
	int parent, zone;
	uint64_t calls, ticks, returned, abandoned, reentered;
	int64_t counter[COUNTERS];
	int seen; /* it is in the profile */
};

static struct context contexts[CONTEXTS];
static int context_count = 1, children[CONTEXTS][LENT + 2 + NATIVE];

struct open {
	int context, native;
	uint64_t activation;
};

static struct open stack[64];
static int top;        /* stack[0] is the root */
static int dead_above; /* frames above it were left by a longjmp that no event has noticed yet */
static int counting;   /* the context that counters go to */
static uint64_t activations, misuses, jumped;
static uint64_t variable[COUNTERS], counted[COUNTERS];

UNSEEN static int child(int parent, int zone)
{
	int *c = &children[parent][zone];
	if (!*c) {
		if (context_count == CONTEXTS) {
			puts("Bail out! more contexts than the test has room for");
			exit(1);
		}
		contexts[context_count].parent = parent;
		contexts[context_count].zone = zone;
		*c = context_count++;
	}
	return *c;
}

UNSEEN static int lent_context(int context)
{
	while (context && contexts[context].zone > LENT + 1)
		context = contexts[context].parent;
	return context;
}

UNSEEN static void abandon_to(int to)
{
	for (; top > to; top--)
		if (stack[top].native)
			jumped++;
		else
			contexts[stack[top].context].abandoned++;
	dead_above = top;
	counting = lent_context(stack[top].context);
}

UNSEEN static void count(void)
{
	for (int i = 0; i < COUNTERS; i++) {
		contexts[counting].counter[i] += (int64_t)(variable[i] - counted[i]);
		counted[i] = variable[i];
	}
}

/* What every event begins with. */
UNSEEN static void arrive(int ticks)
{
	contexts[stack[top].context].ticks += (uint64_t)ticks;
	count();
	if (dead_above < top)
		abandon_to(dead_above);
}

UNSEEN static void push(int zone, int native, int again, uint64_t activation)
{
	int context = child(stack[top].context, zone);
	if (again)
		contexts[context].reentered++;
	else
		contexts[context].calls++;
	stack[++top] = (struct open){context, native, activation ? activation : ++activations};
	dead_above = top;
	if (!native)
		counting = context;
}

UNSEEN static int carrier(void)
{
	int i = top;
	while (i > 0 && !stack[i].native)
		i--;
	return i;
}

/* ---- handles, as the program sees them and as the model does */

struct handle {
	uint64_t id;
	int kind;  /* 0 none or dead, 1 a stack, 2 a continuation */
	int below; /* the carrier's context that the zones stood on */
	int count;
	struct open zones[32];
};

static struct handle handles[HANDLES], home;
static struct handle *current = &home;
static uint64_t dead_handle = 12345;

UNSEEN static void keep(struct handle *h)
{
	int from = carrier();
	h->below = stack[from].context;
	h->count = top - from;
	memcpy(h->zones, stack + from + 1, (size_t)h->count * sizeof *h->zones);
}

UNSEEN static void stand(const struct handle *h, int from, int again)
{
	for (int i = from; i < h->count; i++) {
		const struct open *z = &h->zones[i];
		int same_place = contexts[z->context].parent == stack[top].context;
		if (again || !same_place) {
			if (!again)
				contexts[z->context].abandoned++;
			push(contexts[z->context].zone, 0, 1, z->activation);
		} else {
			stack[++top] = *z;
		}
	}
	dead_above = top;
	counting = lent_context(stack[top].context);
}

/* ---- the operations: the model's part, then the program's */

static uint32_t lent[LENT + 1];

UNSEEN static void take_off(void)
{
	contexts[stack[top].context].returned++;
	top--;
	dead_above = top;
	counting = lent_context(stack[top].context);
}

UNSEEN static int running(void)
{
	return top > 0 && !stack[top].native;
}

UNSEEN static void op_enter(void)
{
	int zone = 1 + (int)below(LENT);
	arrive(1);
	if (below(50) == 0) {
		misuses++;
		push(LENT + 1, 0, 0, 0);
		zprof_lent_enter(3000000 + below(1000));
		return;
	}
	push(zone, 0, 0, 0);
	if (below(2))
		zprof_lent_enter(lent[zone]);
	else
		zprof_lent_enter_at(lent[zone], below(100), below(100));
}

UNSEEN static void op_leave(void)
{
	arrive(1);
	if (running())
		take_off();
	else
		misuses++;
	zprof_lent_leave();
}

UNSEEN static void op_replace(void)
{
	int zone = 1 + (int)below(LENT), goes_on = below(4) == 0;
	if (goes_on) {
		if (dead_above < top)
			return; /* which zone goes on is not known before the next event */
		misuses += !running();
		zprof_lent_replace(lent[zone], ZPROF_CONTINUE);
		return;
	}
	arrive(1);
	if (running())
		take_off();
	else
		misuses++;
	push(zone, 0, 0, 0);
	zprof_lent_replace(lent[zone], ZPROF_CALL);
}

UNSEEN static void op_unwind(void)
{
	unsigned depth = below(12);
	int native = 0;
	arrive(1);
	for (int i = top; i > (int)depth; i--)
		native |= stack[i].native;
	if ((int)depth > top || native)
		misuses++;
	else
		abandon_to((int)depth);
	zprof_lent_unwind(depth);
}

UNSEEN static void op_stack(void)
{
	struct handle *h = &handles[below(HANDLES)];
	if (h->kind)
		return;
	h->kind = 1;
	h->count = 0;
	h->id = zprof_lent_stack();
}

UNSEEN static void op_switch(void)
{
	unsigned i = below(HANDLES + 1);
	struct handle *h = i < HANDLES ? &handles[i] : &home;
	uint64_t id = i < HANDLES ? h->id : 0;
	if (i < HANDLES && h->kind != 1)
		id = h->kind ? h->id : dead_handle;
	arrive(1);
	if (i < HANDLES && h->kind != 1) {
		misuses++;
	} else if (h != current) {
		keep(current);
		top = carrier();
		stand(h, 0, 0);
		h->count = 0;
		current = h;
	}
	zprof_lent_switch(id);
}

UNSEEN static void op_capture(void)
{
	struct handle *h = &handles[below(HANDLES)];
	if (h->kind)
		return;
	arrive(0);
	keep(h);
	h->kind = 2;
	h->id = zprof_lent_capture();
}

UNSEEN static void op_restore(void)
{
	struct handle *h = &handles[below(HANDLES)];
	int from, open;
	arrive(1);
	if (h->kind != 2) {
		misuses++;
		zprof_lent_restore(h->kind ? h->id : dead_handle);
		return;
	}
	from = carrier();
	for (open = 0; open < h->count && open < top - from; open++)
		if (stack[from + 1 + open].context != h->zones[open].context ||
		    stack[from + 1 + open].activation != h->zones[open].activation)
			break;
	abandon_to(from + open);
	stand(h, open, 1);
	zprof_lent_restore(h->id);
}

UNSEEN static void op_free(void)
{
	struct handle *h = &handles[below(HANDLES)];
	uint64_t id = h->kind ? h->id : dead_handle;
	if (!h->kind || h == current) {
		misuses++;
	} else {
		for (int i = 0; h->kind == 1 && i < h->count; i++)
			contexts[h->zones[i].context].abandoned++;
		dead_handle = h->id;
		h->kind = 0;
	}
	zprof_lent_free(id);
}

/* The ticks belong to the zone that the path ends at. */
UNSEEN static void op_path(void)
{
	struct zprof_asking asking;
	uint32_t zones[6];
	int path[6], count_of_path = (int)below(6), from, stay;
	size_t stayed;
	arrive(0);
	from = carrier();
	for (int i = 0; i < count_of_path; i++) {
		int open = from + 1 + i <= top && below(8)
			       ? contexts[stack[from + 1 + i].context].zone
			       : 0;
		path[i] = open >= 1 && open <= LENT ? open : 1 + (int)below(LENT);
		zones[i] = lent[path[i]];
	}
	for (stay = 0; stay < count_of_path && stay < top - from; stay++)
		if (contexts[stack[from + 1 + stay].context].zone != path[stay])
			break;
	while (top > from + stay)
		take_off();
	for (int i = stay; i < count_of_path; i++)
		push(path[i], 0, 0, 0);
	arrive(1);
	stayed = zprof_lent_path(&asking, zones, (size_t)count_of_path);
	if (stayed != (size_t)stay) {
		printf("Bail out! %zu zones stay, not %d (seed %llu)\n", stayed, stay,
		       (unsigned long long)seed);
		exit(1);
	}
}

/* Some of the contexts count nothing, and are only callers of others. */
UNSEEN static void op_add(void)
{
	struct zprof_counted told[3];
	int context[3], n = 1 + (int)below(3);
	arrive(0);
	memset(told, 0, sizeof told);
	for (int i = 0; i < n; i++) {
		int zone = 1 + (int)below(LENT), caller = (int)below((unsigned)i + 1);
		if (below(200) == 0) {
			misuses++;
			told[i].caller = (uint32_t)i + 1 + below(3);
		} else {
			told[i].caller = (uint32_t)caller;
		}
		context[i] =
		    child(told[i].caller == (uint32_t)caller && caller ? context[caller - 1]
								       : stack[carrier()].context,
			  zone);
		told[i].zone = lent[zone];
		told[i].calls = below(3) ? below(100) : 0;
		contexts[context[i]].calls += told[i].calls;
		contexts[context[i]].returned += told[i].calls;
		for (int j = 0; j < COUNTERS && below(2); j++) {
			told[i].counter[j] = below(1000);
			contexts[context[i]].counter[j] += (int64_t)told[i].counter[j];
		}
	}
	zprof_lent_add(told, (size_t)n);
}

UNSEEN static void op_depth(void)
{
	size_t depth = zprof_lent_depth();
	if (depth != (size_t)dead_above) {
		printf("Bail out! depth %zu, not %d (seed %llu)\n", depth, dead_above,
		       (unsigned long long)seed);
		exit(1);
	}
}

UNSEEN static void op_count(void)
{
	variable[below(COUNTERS)] += below(1000);
}

/* ---- native zones: functions that make such calls, and are sometimes left by a longjmp */

static jmp_buf outer[DEEPEST];
static int nested, native_at[DEEPEST];

UNSEEN static void some(unsigned operations);

static APART void native_0(unsigned operations)
{
	some(operations);
}

static APART void native_1(unsigned operations)
{
	some(operations);
}

/* Hooks do not read counters, except to charge what they find abandoned. */
UNSEEN static void native_event(int alive)
{
	contexts[stack[top].context].ticks++;
	if (alive < top) {
		count();
		abandon_to(alive);
	}
}

UNSEEN static void op_native(void)
{
	volatile int level = nested;
	int which = (int)below(NATIVE);
	if (nested == DEEPEST || top > 20)
		return;
	if (setjmp(outer[level])) {
		nested = level;
		return;
	}
	native_event(dead_above);
	push(LENT + 2 + which, 1, 0, 0);
	native_at[nested++] = top;
	(which ? native_1 : native_0)(below(8));
	native_event(native_at[level]);
	dead_above = --top;
	nested = level;
}

UNSEEN static void op_jump(void)
{
	int level;
	if (!nested)
		return;
	level = (int)below((unsigned)nested);
	if (native_at[level] - 1 < dead_above)
		dead_above = native_at[level] - 1;
	longjmp(outer[level], 1);
}

UNSEEN static void one(void)
{
	static void (*const all[])(void) = {
	    op_enter,  op_enter,  op_enter,  op_enter, op_enter, op_leave,   op_leave,
	    op_leave,  op_leave,  op_leave,  op_count, op_count, op_replace, op_replace,
	    op_unwind, op_stack,  op_switch, op_free,  op_depth, op_capture, op_restore,
	    op_native, op_native, op_path,   op_path,  op_add};
	if (top > 24 || (nested && below(60) == 0))
		op_jump();
	if (top > 24)
		op_unwind();
	else
		all[below(sizeof all / sizeof *all)]();
}

UNSEEN static void some(unsigned operations)
{
	while (operations--)
		one();
}

/* ---- the profile */

static char *file;
static long file_bytes;

UNSEEN static void read_profile(void)
{
	const char *name = getenv("ZPROF_OPTIONS");
	FILE *f = name && !strncmp(name, "output=", 7) ? fopen(name + 7, "rb") : NULL;
	if (!f) {
		puts("Bail out! ZPROF_OPTIONS=output=FILE is not there, or FILE is not");
		exit(1);
	}
	fseek(f, 0, SEEK_END);
	file_bytes = ftell(f);
	rewind(f);
	file = malloc((size_t)file_bytes);
	if (fread(file, 1, (size_t)file_bytes, f) != (size_t)file_bytes)
		exit(1);
	fclose(f);
}

UNSEEN static int zone_number(uint64_t zone)
{
	if (zone == (uintptr_t)native_0)
		return LENT + 2;
	if (zone == (uintptr_t)native_1)
		return LENT + 3;
	for (int i = 1; i <= LENT; i++)
		if (zone == ZPROF_ZONE_OF_ID(lent[i]))
			return i;
	return zone == ZPROF_ZONE_OF_ID(2) ? LENT + 1 : -1;
}

/* The model's context of a node; -1: there is none. */
UNSEEN static int context_of(uint32_t reference)
{
	const struct zprof_node *node =
	    (const struct zprof_node *)(file + (size_t)reference * ZPROF_NODE_BYTES);
	int zone, parent;
	if (!node->parent)
		return 0;
	zone = zone_number(node->zone);
	parent = context_of(node->parent);
	return zone < 0 || parent < 0 || !children[parent][zone] ? -1 : children[parent][zone];
}

static unsigned long wrong;

UNSEEN static void differs(int context, const char *what, uint64_t expected, uint64_t got)
{
	if (expected == got || wrong++ > 20)
		return;
	printf("# ");
	for (int c = context; c; c = contexts[c].parent)
		printf("%d < ", contexts[c].zone);
	printf("root: %s %llu, not %llu\n", what, (unsigned long long)got,
	       (unsigned long long)expected);
}

UNSEEN static void check_node(uint32_t reference)
{
	const struct zprof_node *node =
	    (const struct zprof_node *)(file + (size_t)reference * ZPROF_NODE_BYTES);
	int c = context_of(reference);
	if (node->zone == ZPROF_ZONE_OF_ID(ZPROF_ID_SELF))
		return;
	if (c < 0) {
		if (node->calls || node->self_ticks)
			differs(0, "calls of a context that was never entered", 0, node->calls);
		return;
	}
	contexts[c].seen = 1;
	differs(c, "calls", contexts[c].calls, node->calls);
	differs(c, "ticks", contexts[c].ticks, node->self_ticks);
}

UNSEEN static void check_extra(const struct zprof_extra *e)
{
	int c = context_of(e->node);
	if (c < 0)
		return;
	if (c) {
		differs(c, "returned", contexts[c].returned, e->returned);
		differs(c, "abandoned", contexts[c].abandoned, e->abandoned);
		differs(c, "re-entered", contexts[c].reentered, e->reentered);
	}
	for (int i = 0; i < COUNTERS; i++)
		differs(c, "counter", (uint64_t)contexts[c].counter[i], e->counter[i]);
}

/* The others may have been made up by op_add(). */
UNSEEN static int has_counts(int c)
{
	int64_t any = (int64_t)(contexts[c].calls | contexts[c].reentered);
	for (int i = 0; i < COUNTERS; i++)
		any |= contexts[c].counter[i];
	return any != 0;
}

UNSEEN static void check_profile(void)
{
	const struct zprof_header *header = (const struct zprof_header *)file;
	const struct zprof_section *s;
	size_t at, i;
	for (at = sizeof *header; at < (size_t)file_bytes;
	     at += s->bytes ? s->bytes : ZPROF_GRANULE) {
		s = (const struct zprof_section *)(file + at);
		for (i = at + sizeof *s; s->type == ZPROF_SECTION_NODES && i < at + s->used;
		     i += ZPROF_NODE_BYTES)
			check_node((uint32_t)(i / ZPROF_NODE_BYTES));
		for (i = at + sizeof *s; s->type == ZPROF_SECTION_EXTRAS && i < at + s->used;
		     i += sizeof(struct zprof_extra))
			check_extra((const struct zprof_extra *)(file + i));
	}
	for (int c = 1; c < context_count; c++)
		if (has_counts(c))
			differs(c, "in the profile", 1, (uint64_t)contexts[c].seen);
	differs(0, "misuses", misuses, header->counters[ZPROF_MISUSE]);
	for (i = 0; i < ZPROF_MISUSE; i++)
		if (i < ZPROF_REPAIR_JUMP)
			differs(0, "losses", 0, header->counters[i]);
}

/* entered + re-entered = returned + abandoned + open, with what is open counted where it is */
UNSEEN static void check_invariant(void)
{
	static uint64_t open[CONTEXTS];
	for (int i = 1; i <= top; i++)
		open[stack[i].context]++;
	for (int h = 0; h <= HANDLES; h++) {
		const struct handle *stored = h < HANDLES ? &handles[h] : &home;
		for (int i = 0;
		     (h == HANDLES || stored->kind == 1) && stored != current && i < stored->count;
		     i++)
			open[stored->zones[i].context]++;
	}
	for (int c = 1; c < context_count; c++)
		if (contexts[c].zone <= LENT + 1)
			differs(c, "entered and open", contexts[c].calls + contexts[c].reentered,
				contexts[c].returned + contexts[c].abandoned + open[c]);
}

UNSEEN int main(int argc, char **argv)
{
	long sequences = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000, i;
	state = seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 0x9e3779b97f4a7c15u;
	printf("# seed %llu\n", (unsigned long long)seed);
	for (i = 1; i <= LENT; i++) {
		char name[8];
		snprintf(name, sizeof name, "z%ld", i);
		lent[i] = zprof_lent(name, "model", "model.l", (uint32_t)i);
	}
	zprof_lent_counter("one", &variable[0]);
	zprof_lent_counter("two", &variable[1]);
	for (i = 0; i < sequences; i++) {
		some(1 + below(16));
		/* A plain return, so that there are not too many contexts. */
		if (top) {
			arrive(1);
			abandon_to(0);
			zprof_lent_unwind(0);
		}
	}
	zprof_flush();
	count();
	read_profile();
	check_profile();
	check_invariant();
	printf("# %d contexts, %llu misuses, %llu native zones jumped over\n", context_count,
	       (unsigned long long)misuses, (unsigned long long)jumped);
	printf("%s 1 - %ld random sequences of calls do what the model does\n1..1\n",
	       wrong ? "not ok" : "ok", sequences);
	return wrong != 0;
}
