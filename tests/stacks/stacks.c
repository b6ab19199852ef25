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
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
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

enum { THOUSANDS = 10000, LOOKS = 200 };

static uintptr_t page_bytes;
static uint32_t touched; /* pages of the table, since they were closed */

/* A page of the table is touched: opens it. An address elsewhere is a fault of this program. */
static void open_page(int signal, siginfo_t *info, void *unused)
{
	uintptr_t at = (uintptr_t)info->si_addr, table = (uintptr_t)process.stacks->table;

	(void)signal;
	(void)unused;
	if (at - table >= STACKS_MAX * sizeof(struct stack) ||
	    mprotect((void *)(at & -page_bytes), page_bytes, PROT_READ | PROT_WRITE))
		_exit(1);
	touched++;
}

static bool close_table(int protection)
{
	return !mprotect(process.stacks->table, STACKS_MAX * sizeof(struct stack), protection);
}

/*
 * However many stacks there are, a search looks at a few of them: it touches few pages of their table, of
 * which a search through all touches hundreds.
 */
static bool few_are_looked_at(void)
{
	const uintptr_t base = 0x600000000000;
	struct sigaction action = {.sa_sigaction = open_page, .sa_flags = SA_SIGINFO}, before;
	uint32_t most = 0;
	bool found = true;

	*process.stacks = (struct stacks){0}; /* no other stacks than those below */
	page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	if (!stacks_init(&process, NULL) || sigaction(SIGSEGV, &action, &before))
		return false;
	for (uint32_t i = 0; i < THOUSANDS; i++)
		stacks_add(&process, base + ((uintptr_t)i << 16), 1 << 16);
	for (uint32_t i = 0; i < LOOKS && found; i++) {
		touched = 0;
		found = close_table(PROT_NONE) &&
			stacks_find(&process, base + (draw(THOUSANDS) << 16) + 4096);
		most = touched > most ? touched : most;
	}
	sigaction(SIGSEGV, &before, NULL);
	printf("# a search among %d stacks touches at most %" PRIu32 " pages\n", THOUSANDS, most);
	return close_table(PROT_READ | PROT_WRITE) && found && most >= 1 && most <= 30;
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
	dear = !few_are_looked_at();
	printf("%s 3 - to find a stack among %d, few are looked at\n", dear ? "not ok" : "ok",
	       THOUSANDS);
	hidden = !barriers_are_looked_through();
	printf("%s 4 - a handler's stack is found among those that the thread has left by calls\n",
	       hidden ? "not ok" : "ok");
	endless = !one_block_is_full();
	printf("%s 5 - a stack that there is no place for is not added\n1..5\n",
	       endless ? "not ok" : "ok");
	return wrong || waits || dear || hidden || endless;
}
