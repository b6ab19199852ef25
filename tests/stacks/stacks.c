/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - the index of known stacks (preload/stacks/stacks.h) compared with a search through all
 * of them, while stacks of all sizes come and go, side by side and one inside another; and a stack's
 * lock whose holder does not go on.
 *
 *   stacks [SEED]
 */
#include "preload/process/process.h"
#include "preload/stacks/barriers.h"
#include "preload/stacks/stacks.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 200000, MOST = 3000 };

static struct stacks stacks;
static struct process process = {.stacks = &stacks};
static uint64_t state;

static uint64_t draw(uint64_t n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1du >> 20) % n;
}

/* Sizes that programs give stacks: any number of pages, often a power of two, seldom megabytes. */
static uintptr_t draw_bytes(void)
{
	uintptr_t pages = (uintptr_t)1 << draw(draw(20) ? 6 : 12);

	return 4096 * (draw(2) ? pages : 1 + draw(pages));
}

static uintptr_t draw_address(void)
{
	return 0x7f0000000000 + draw((uint64_t)1 << 28) / 16 * 16;
}

static const struct stack *find_plainly(uintptr_t address)
{
	const struct stack *best = NULL;

	for (uint32_t i = 0; i < process.stacks->count; i++) {
		const struct stack *s = &process.stacks->table[i];

		if (stack_holds(s, address) && (!best || s->bytes < best->bytes))
			best = s;
	}
	return best;
}

static bool is_within(const struct stack *s, uintptr_t low, uintptr_t bytes)
{
	return s->bytes && s->low >= low && s->low < low + bytes && s->bytes <= bytes;
}

static bool any_within(uintptr_t low, uintptr_t bytes)
{
	for (uint32_t i = 0; i < process.stacks->count; i++)
		if (is_within(&process.stacks->table[i], low, bytes))
			return true;
	return false;
}

/* Several stacks of the same size may hold an address; any of them will do. */
static bool found_right(uintptr_t address)
{
	const struct stack *found = stacks_find(&process, address), *wanted = find_plainly(address);

	if (!found || !wanted)
		return found == wanted;
	return stack_holds(found, address) && found->bytes == wanted->bytes;
}

static bool within_right(uintptr_t low, uintptr_t bytes)
{
	const struct stack *found = stacks_within(&process, low, bytes);

	return found ? is_within(found, low, bytes) : !any_within(low, bytes);
}

/* Like a program that makes a stack: those that began inside it are gone. */
static bool learn(uintptr_t low, uintptr_t bytes)
{
	struct stack *s;

	while ((s = stacks_within(&process, low, bytes)))
		stacks_remove(&process, s);
	return !any_within(low, bytes) && stacks_add(&process, low, bytes) != NULL;
}

/* Stacks one inside another, under one number: where there is no place left, that is said, until one of them goes. */
static bool one_block_is_full(void)
{
	const uintptr_t low = 0x500000000000, bytes = 8192;
	struct stack *first = stacks_add(&process, low, bytes);
	uint32_t more = 0;

	while (more < MOST && stacks_add(&process, low, bytes))
		more++;
	if (!first || more < 10 || more == MOST || !found_right(low))
		return false;
	stacks_remove(&process, first);
	return stacks_add(&process, low, bytes) && !stacks_add(&process, low, bytes);
}

/* ---- what it costs */

enum { FEW = 10, THOUSANDS = 10000, LOOKS = 10000, ROUNDS = 30 };

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Nanoseconds to find one of the first COUNT stacks of 64 KiB from BASE, in the best of rounds. */
static double cost_among(uintptr_t base, uint32_t count)
{
	uint64_t least = UINT64_MAX;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t start = now_ns(), ns;

		for (int i = 0; i < LOOKS; i++)
			if (!stacks_find(&process, base + (draw(count) << 16) + 4096))
				return 1e9;
		ns = now_ns() - start;
		least = ns < least ? ns : least;
	}
	return (double)least / LOOKS;
}

/* A search through all of them would take a thousand times as long. What is left is caches. */
static bool costs_the_same_among_thousands(void)
{
	const uintptr_t base = 0x600000000000;
	double few, many;

	*process.stacks = (struct stacks){0}; /* no other stacks than those below */
	if (!stacks_init(&process, NULL))
		return false;
	for (uint32_t i = 0; i < FEW; i++)
		stacks_add(&process, base + ((uintptr_t)i << 16), 1 << 16);
	few = cost_among(base, FEW);
	for (uint32_t i = FEW; i < THOUSANDS; i++)
		stacks_add(&process, base + ((uintptr_t)i << 16), 1 << 16);
	many = cost_among(base, THOUSANDS);
	printf("# finding one of %d stacks takes %.0f ns, one of %d %.0f\n", FEW, few, THOUSANDS,
	       many);
	return many < 30 * few;
}

/* ---- the lock */

static pthread_barrier_t reached;

/* Between its two barriers it is like a thread that a jump took out of the lock. */
static void *hold(void *stack)
{
	bool had = stacks_lock(stack);

	pthread_barrier_wait(&reached);
	pthread_barrier_wait(&reached);
	stacks_unlock(stack);
	pthread_barrier_wait(&reached);
	return had ? stack : NULL;
}

/* A place whose lock is held is not given to a new stack; once the lock is free, it is. */
static bool does_without(struct stack *s)
{
	bool right;

	alarm(300);
	right = !stacks_lock(s) && !stacks_lock(s);
	stacks_remove(&process, s);
	right = right && stacks_add(&process, 0x10000, 4096) != s;
	alarm(0);
	return right;
}

static bool nobody_waits_for_ever(void)
{
	struct stack *s = stacks_add(&process, 0x20000, 4096);
	pthread_t thread;
	void *had;
	bool right;

	pthread_barrier_init(&reached, NULL, 2);
	pthread_create(&thread, NULL, hold, s);
	pthread_barrier_wait(&reached);
	right = does_without(s);
	pthread_barrier_wait(&reached);
	pthread_barrier_wait(&reached);
	right = right && stacks_lock(s);
	pthread_join(thread, &had);
	return right && had == s;
}

/* A thread that has switched twice within calls that are still open, and now runs on the stack `sp` lies in. */
static bool finds_the_stack_below(uintptr_t sp, uintptr_t expected)
{
	struct track k = {.stack_low = 0x30000,
			  .stack_bytes = 0x1000,
			  .barriers = 2,
			  .barrier = {{1, 0x10000, 0x3000}, {2, 0x20000, 0x2000}}};
	uintptr_t low = 1, bytes = 1;
	bool through = barriers_came_through(&k, sp, &low, &bytes);

	return expected ? through && low == expected && sp - low < bytes : !through;
}

static bool barriers_are_looked_through(void)
{
	return finds_the_stack_below(0x30800, 0x30000) && finds_the_stack_below(0x21fff, 0x20000) &&
	       finds_the_stack_below(0x12fff, 0x10000) && finds_the_stack_below(0x22000, 0) &&
	       finds_the_stack_below(0xffff, 0);
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	long step, wrong = 0;
	bool waits, dear, hidden, endless;

	state = seed * 0x9e3779b97f4a7c15u | 1;
	printf("# seed %" PRIu64 "\n", seed);
	if (!stacks_init(&process, NULL))
		return 1;
	for (step = 0; step < STEPS && !wrong; step++) {
		uint64_t kind = draw(4);

		if (kind == 0)
			wrong += !learn(draw_address() & ~(uintptr_t)4095, draw_bytes());
		else if (kind == 1)
			wrong += !within_right(draw_address(), draw_bytes());
		else
			wrong += !found_right(draw_address());
		if (process.stacks->count > MOST)
			stacks_remove(&process, &process.stacks->table[draw(MOST)]);
	}
	printf("%s 1 - every stack is found among %" PRIu32 " places, %ld times\n",
	       wrong ? "not ok" : "ok", process.stacks->count, step);
	fflush(stdout);
	waits = !nobody_waits_for_ever();
	printf("%s 2 - a thread goes on without a lock whose holder never releases it\n",
	       waits ? "not ok" : "ok");
	dear = !costs_the_same_among_thousands();
	printf("%s 3 - finding a stack takes as long among %d as among %d\n",
	       dear ? "not ok" : "ok", THOUSANDS, FEW);
	hidden = !barriers_are_looked_through();
	printf("%s 4 - a handler's stack is found among those that the thread has left by calls\n",
	       hidden ? "not ok" : "ok");
	endless = !one_block_is_full();
	printf("%s 5 - a stack that there is no place for is not added\n1..5\n",
	       endless ? "not ok" : "ok");
	return wrong || waits || dear || hidden || endless;
}
