/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - the index of known stacks (preload/stacks.h) held against a search through all of
 * them, while stacks of all sizes come and go, side by side and one inside of another; and the lock
 * of one whose holder does not go on.
 *
 *   stacks [SEED]
 */
#include "preload/process.h"
#include "preload/stacks.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STEPS = 200000, MOST = 3000 };

static struct process process;
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

	for (uint32_t i = 0; i < process.stacks.count; i++) {
		const struct stack *s = &process.stacks.table[i];

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
	for (uint32_t i = 0; i < process.stacks.count; i++)
		if (is_within(&process.stacks.table[i], low, bytes))
			return true;
	return false;
}

/* Several of one size may hold an address; which of them is found does not matter. */
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

/* As a program does that makes a stack: what began inside is gone. */
static bool learn(uintptr_t low, uintptr_t bytes)
{
	struct stack *s;

	while ((s = stacks_within(&process, low, bytes)))
		stacks_remove(&process, s);
	return !any_within(low, bytes) && stacks_add(&process, low, bytes) != NULL;
}

/* ---- the lock */

static pthread_barrier_t reached;

/* Between its two ends it is as one that a jump has left there. */
static void *hold(void *stack)
{
	bool had = stacks_lock(stack);

	pthread_barrier_wait(&reached);
	pthread_barrier_wait(&reached);
	stacks_unlock(stack);
	pthread_barrier_wait(&reached);
	return had ? stack : NULL;
}

/* A place whose lock cannot be had is given to nobody; where it can be had again, it is. */
static bool does_without(struct stack *s)
{
	bool right;

	alarm(20);
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

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	long step, wrong = 0;
	bool waits;

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
		if (process.stacks.count > MOST)
			stacks_remove(&process, &process.stacks.table[draw(MOST)]);
	}
	printf("%s 1 - every stack is found among %" PRIu32 " places, %ld times\n",
	       wrong ? "not ok" : "ok", process.stacks.count, step);
	fflush(stdout);
	waits = !nobody_waits_for_ever();
	printf("%s 2 - who wants a lock that its holder was left with goes on without it\n1..2\n",
	       waits ? "not ok" : "ok");
	return wrong || waits;
}
