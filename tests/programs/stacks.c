/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - many stacks in one thread, and one stack in many threads: contexts (swapcontext), a
 * switch written in assembly on stacks carved from one block, stacks left for good and used again,
 * a stack that goes on in another thread, ten thousand stacks, stacks that are arrays in frames;
 * and stacks of many threads, carved from one block, about which the library is not told.
 *
 *   stacks contexts|assembly|carved|abandoned|migrating|many|arrays|untold
 *
 * A stack's first function is outermost: it has no caller. Each stack has the zones that are open
 * on it, and no others.
 */
#include "tests/programs/switch_stack.h"
#include "tests/programs/truth.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

void zprof_stack(void *base, size_t size) __attribute__((weak));

enum { STACKS = 4, ROUNDS = 50, STACK_BYTES = 64 * 1024 };

static void leaf(void)
{
}

/* Contexts: four coroutines at different depths, each resumed in turn. */
static ucontext_t home, few[STACKS], *contexts = few;
static int current;

UNSEEN static void yield_context(void)
{
	int me = current;
	swapcontext(&contexts[me], &home);
}

static void deeper(int depth)
{
	CALL(leaf);
	yield_context();
	if (depth > 0)
		CALL(deeper, depth - 1);
	CALL(leaf);
	yield_context();
}

static void coroutine(void)
{
	for (;;) {
		CALL(leaf);
		CALL(deeper, current % STACKS);
	}
}

static void resume(void)
{
	CALL(leaf);
	swapcontext(&home, &contexts[current]);
	CALL(leaf);
}

static void with_contexts(void)
{
	for (int i = 0; i < STACKS; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = malloc(STACK_BYTES);
		contexts[i].uc_stack.ss_size = STACK_BYTES;
		makecontext(&contexts[i], coroutine, 0);
	}
	truth_add("-", "coroutine", STACKS, STACKS);
	for (int i = 0; i < ROUNDS * STACKS; i++) {
		current = i % STACKS;
		CALL(resume);
	}
}

static void *home_sp, *stack_sp[STACKS];

UNSEEN static void prepare(int i, void *base, size_t size, void (*entry)(void))
{
	stack_sp[i] = switch_stack_new((char *)base + size, entry);
}

UNSEEN static void yield_assembly(void)
{
	int me = current;
	switch_stack(&stack_sp[me], home_sp);
}

static void assembly_deeper(int depth)
{
	CALL(leaf);
	yield_assembly();
	if (depth > 0)
		CALL(assembly_deeper, depth - 1);
	CALL(leaf);
	yield_assembly();
}

static void assembly_coroutine(void)
{
	for (;;) {
		CALL(leaf);
		CALL(assembly_deeper, current + 2);
	}
}

static void resume_assembly(void)
{
	CALL(leaf);
	switch_stack(&home_sp, stack_sp[current]);
	CALL(leaf);
}

/* Each stack has a mapping of its own, with a guard page that shows its bounds; or they lie side by
 * side, and then the library must be told the bounds. */
static void with_assembly(int carved)
{
	size_t guard = carved ? 0 : 4096, each = STACK_BYTES + guard;
	char *block =
	    mmap(NULL, STACKS * each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < STACKS; i++) {
		char *base = block + (size_t)i * each + guard;
		if (guard && mprotect(base - guard, guard, PROT_NONE) != 0)
			abort();
		if (carved && zprof_stack)
			zprof_stack(base, STACK_BYTES);
		prepare(i, base, STACK_BYTES, assembly_coroutine);
	}
	truth_add("-", "assembly_coroutine", STACKS, STACKS);
	for (int i = 0; i < ROUNDS * STACKS; i++) {
		current = i % STACKS;
		CALL(resume_assembly);
	}
}

/* Stacks are left in the middle of something, and their memory is used for the next. */
static void abandoned(void)
{
	CALL(deeper, 3);
}

static void with_abandoned(void)
{
	enum { TIMES = 500 };
	static char memory[STACK_BYTES];
	current = 0;
	truth_add("-", "abandoned", TIMES, TIMES);
	for (int i = 0; i < TIMES; i++) {
		getcontext(&contexts[0]);
		contexts[0].uc_stack.ss_sp = memory;
		contexts[0].uc_stack.ss_size = sizeof memory;
		makecontext(&contexts[0], abandoned, 0);
		for (int steps = 0; steps <= i % 5; steps++)
			CALL(resume);
	}
}

/* A context that is resumed by one thread after another. */
static void *carry_on(void *unused)
{
	CALL(resume);
	return unused;
}

static void with_migrating(void)
{
	enum { TIMES = 30 };
	current = 0;
	getcontext(&contexts[0]);
	contexts[0].uc_stack.ss_sp = malloc(STACK_BYTES);
	contexts[0].uc_stack.ss_size = STACK_BYTES;
	makecontext(&contexts[0], coroutine, 0);
	truth_add("-", "coroutine", 1, 1);
	truth_add("-", "carry_on", TIMES, TIMES);
	for (int i = 0; i < TIMES; i++) {
		pthread_t thread;
		CALL(resume);
		if (pthread_create(&thread, NULL, carry_on, NULL) != 0)
			abort();
		pthread_join(thread, NULL);
	}
}

static void with_many(void)
{
	enum { MANY = 10000, BYTES = 16 * 1024 };
	char *block = mmap(NULL, (size_t)MANY * BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	contexts = calloc(MANY, sizeof *contexts);
	if (block == MAP_FAILED || !contexts)
		abort();
	for (int i = 0; i < MANY; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = block + (size_t)i * BYTES;
		contexts[i].uc_stack.ss_size = BYTES;
		makecontext(&contexts[i], coroutine, 0);
	}
	truth_add("-", "coroutine", MANY, MANY);
	for (int i = 0; i < 3 * MANY; i++) {
		current = (int)(i * 7919L % MANY);
		CALL(resume);
	}
}

/* Arrays in a frame: two side by side, and one in the frame of a function that runs on the other. */
enum { ARRAY_BYTES = 32 * 1024 };

static ucontext_t inner_home, inner[2];

static void inside(int steps)
{
	CALL(leaf);
	for (int i = 0; i < steps; i++) {
		swapcontext(&inner[0], &inner_home);
		CALL(leaf);
	}
	swapcontext(&inner[0], &inner_home);
}

static void with_inner(void)
{
	char array[ARRAY_BYTES / 2] __attribute__((aligned(16)));
	getcontext(&inner[0]);
	inner[0].uc_stack.ss_sp = array;
	inner[0].uc_stack.ss_size = sizeof array;
	makecontext(&inner[0], (void (*)(void))inside, 1, 3);
	for (int i = 0; i < 4; i++) {
		swapcontext(&inner_home, &inner[0]);
		CALL(leaf);
		yield_context();
	}
	yield_context();
}

/* Its frame lies where the arrays were. */
static void where_they_were(int depth)
{
	volatile char room[2048];
	room[0] = (char)depth;
	CALL(leaf);
	if (room[0] > 0)
		CALL(where_they_were, depth - 1);
	CALL(leaf);
}

static void in_arrays(void)
{
	char one[2 * ARRAY_BYTES] __attribute__((aligned(16)));
	char two[ARRAY_BYTES] __attribute__((aligned(16)));
	char *stacks[] = {one, two, one + ARRAY_BYTES};
	for (int i = 0; i < 3; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = stacks[i];
		contexts[i].uc_stack.ss_size = ARRAY_BYTES;
		makecontext(&contexts[i], i == 1 ? with_inner : coroutine, 0);
	}
	for (int i = 0; i < 4 * 3; i++) {
		current = i % 3;
		CALL(resume);
		CALL(where_they_were, 3);
	}
}

static void with_arrays(void)
{
	enum { TIMES = 20 };
	truth_add("-", "coroutine", 2 * TIMES, 2 * TIMES);
	truth_add("-", "with_inner", TIMES, TIMES);
	truth_add("-", "inside", TIMES, TIMES);
	for (int i = 0; i < TIMES; i++) {
		CALL(in_arrays);
		CALL(where_they_were, 40);
	}
}

/*
 * All threads at once run on stacks that cannot be told apart: it is unknown which zones belong to
 * which, but each call is counted, and the program runs as it would alone. (Deep enough for the
 * library's own memory of open zones to grow.)
 */
enum { THREADS = 8, TURNS = 40, DEPTH = 1500, UNTOLD_BYTES = 512 * 1024 };

struct untold {
	void *home, *there;
	int turn;
};

static __thread struct untold *untold;

/* After a switch the thread is the same, but the compiler must not know where its variable is. */
UNSEEN APART static struct untold *my_untold(void)
{
	__asm__ volatile("");
	return untold;
}

static void down(int depth)
{
	leaf();
	if (depth > 0)
		down(depth - 1);
	leaf();
}

static void untold_coroutine(void)
{
	for (;;) {
		struct untold *me = my_untold();
		down(me->turn % 8 ? me->turn % 8 : DEPTH);
		switch_stack(&me->there, me->home);
	}
}

static void untold_turns(void)
{
	struct untold *me = my_untold();
	for (me->turn = 0; me->turn < TURNS; me->turn++) {
		leaf();
		switch_stack(&me->home, me->there);
	}
}

UNSEEN static void *untold_thread(void *mine)
{
	untold = mine;
	untold_turns();
	return NULL;
}

static void with_untold(void)
{
	static struct untold all[THREADS];
	pthread_t threads[THREADS];
	unsigned long downs = 0;
	char *block = mmap(NULL, (size_t)THREADS * UNTOLD_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < THREADS; i++) {
		prepare(0, block + (size_t)i * UNTOLD_BYTES, UNTOLD_BYTES, untold_coroutine);
		all[i].there = stack_sp[0];
	}
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, untold_thread, &all[i]) != 0)
			abort();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < TURNS; i++)
		downs += (i % 8 ? i % 8 : DEPTH) + 1;
	truth_add(NULL, "down", THREADS * downs, THREADS * downs);
	truth_add(NULL, "leaf", THREADS * (2 * downs + TURNS) + 1,
		  THREADS * (2 * downs + TURNS) + 1);
	truth_add(NULL, "untold_turns", THREADS, THREADS);
	truth_add(NULL, "untold_coroutine", THREADS, THREADS);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "contexts";
	truth_add("-", "main", 1, 1);
	if (strcmp(how, "assembly") == 0)
		CALL(with_assembly, 0);
	else if (strcmp(how, "carved") == 0)
		CALL(with_assembly, 1);
	else if (strcmp(how, "abandoned") == 0)
		CALL(with_abandoned);
	else if (strcmp(how, "migrating") == 0)
		CALL(with_migrating);
	else if (strcmp(how, "arrays") == 0)
		CALL(with_arrays);
	else if (strcmp(how, "many") == 0)
		CALL(with_many);
	else if (strcmp(how, "untold") == 0)
		CALL(with_untold);
	else
		CALL(with_contexts);
	if (strcmp(how, "untold") == 0)
		leaf();
	else
		CALL(leaf);
	return 0;
}
