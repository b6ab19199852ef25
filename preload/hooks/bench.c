/* SPDX-License-Identifier: MIT */
/* bench.c - see bench.h. */
#include "preload/hooks/bench.h"

#include "preload/process/process.h"
#include "preload/profile/planes.h"
#include "preload/code/location.h"
#include "preload/sample/ring.h"

/* Bytes of the nodes and `callees`, and as many of the twins. */
#define BENCH_BYTES (ZPROF_GRANULE + TREE_CALLEES * sizeof(struct callee))

bool bench_init(struct bench *b, struct process *p, uint64_t (*clock)(void))
{
	struct track *k = &b->track;

	*b = (struct bench){.base = planes_find(BENCH_BYTES), .clock = clock};
	if (!b->base)
		return false;
	b->alive = 1;
	b->random = 88172645463325252u;
	k->base = b->base;
	k->locations = p->locations->slots;
	k->calls = p->locations->calls;
	k->process = p;
	k->bottom = k->top = b->frames + 1;
	k->limit = b->frames + sizeof(b->frames) / sizeof(b->frames[0]);
	k->alive = &b->alive;
	k->last = &b->last;
	k->current = &b->current;
	k->stack_bytes = UINTPTR_MAX;
	k->news = &ring_silence;
	b->frames[0].cfa = k->bottom->cfa = UINTPTR_MAX;
	k->bottom->node = node_at(b->base, BENCH_CALLER);
	node_at(b->base, BENCH_CALLEE)->zone = (uintptr_t)&b->place;
	twin_of(node_at(b->base, BENCH_CALLEE))->rule = 64;
	k->callees = (struct callee *)(b->base + ZPROF_GRANULE);
	*tree_callee(k->callees, (uintptr_t)&b->place, BENCH_CALLER) =
	    (struct callee){BENCH_CALLER, BENCH_CALLEE};
	return true;
}

void bench_fini(struct bench *b)
{
	if (b->base)
		planes_unmap(b->base, BENCH_BYTES, true);
}

#define UNFORESEEN     1000
#define UNFORESEEN_MIN 32
#define UNFORESEEN_MAX 47
const unsigned bench_bodies[BENCH_BODIES] = {0, 8, 24, 48, UNFORESEEN};

static unsigned unforeseen(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return UNFORESEEN_MIN + (*x >> 32) % (UNFORESEEN_MAX - UNFORESEEN_MIN + 1);
}

/* Not inlined, so that each call of it calls from one place, with one stack pointer. */
__attribute__((noinline)) int64_t bench_time(struct bench *b,
					     void (*function)(const void *, void *, unsigned),
					     const void *how, unsigned body)
{
	uint64_t before = b->clock();
	int i;

	for (i = 0; i < BENCH_CALLS; i++)
		function(how, &b->place, body == UNFORESEEN ? unforeseen(&b->random) : body);
	return (int64_t)(b->clock() - before) * 1000 / BENCH_CALLS;
}

void bench_sort(int64_t rounds[BENCH_ROUNDS])
{
	int i, j;

	for (i = 1; i < BENCH_ROUNDS; i++)
		for (j = i; j > 0 && rounds[j] < rounds[j - 1]; j--) {
			int64_t t = rounds[j];

			rounds[j] = rounds[j - 1];
			rounds[j - 1] = t;
		}
}
