/* SPDX-License-Identifier: MIT */
/*
 * zones_all.c - every function and macro of zprof.h once, used as intended; compiled as C and as
 * C++. Its call graph is known to the tick. zones_other.c shares its public zones.
 */
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "preload/zprof.h"

#ifdef __cplusplus
extern "C" {
#endif

#define APART  __attribute__((noinline))
#define UNSEEN __attribute__((no_instrument_function))

ZPROF_DEFINE(shared);
ZPROF_DECLARE(elsewhere);
int other(int n);

static char coroutine_stack[65536]; /* on which nothing runs */

/* ---- by hand */

static APART int by_scope(int n)
{
	int scope = n; /* does not conflict with the zone of the same name */
	ZPROF(scope);
	if (n & 1) {
		ZPROF(2nd_half);
		return scope + 1;
	}
	for (int i = 0; i < 3; i++) {
		ZPROF(turn);
		if (i == n)
			break;
	}
	return scope;
}

static APART int by_pairs(int n)
{
	ZPROF_BEGIN(pair);
	n++;
	{
		ZPROF_REGION(shared);
		n++;
		ZPROF_END;
	}
	if (n & 1) {
		ZPROF_END;
		return n;
	}
	ZPROF_SCOPE(elsewhere);
	ZPROF_END; /* ends elsewhere, the innermost, not pair: its scope then has nothing to end */
	n++;
	ZPROF_END;
	return n;
}

static APART void unbalanced(void)
{
	ZPROF_END;
}

static jmp_buf back;
static void (*volatile leap)(jmp_buf, int) = longjmp; /* hides that it never returns */

static APART void leaves_open(void)
{
	ZPROF_BEGIN(left_open);
	longjmp(back, 1);
}

/* ---- lent */

static uint32_t fact, square, even, odd, later;
static uint64_t steps, bytes;

static APART void prim(void)
{
	steps += 100;
	zprof_lent_enter(square);
	steps += 5;
	zprof_lent_leave();
}

static APART void evaluate(int n)
{
	zprof_lent_enter_at(fact, 10, 4);
	steps += 10;
	bytes += 16;
	if (n)
		evaluate(n - 1);
	else
		prim();
	zprof_lent_leave();
}

static APART void tail_loop(int n)
{
	zprof_lent_enter(even);
	for (int i = 0; i < n; i++) {
		steps++;
		zprof_lent_replace(i & 1 ? even : odd, ZPROF_CALL);
		zprof_lent_replace(fact, ZPROF_CONTINUE);
	}
	zprof_lent_leave();
}

static APART void throws(int n)
{
	zprof_lent_enter(square);
	if (n)
		throws(n - 1);
	else
		leap(back, 1);
}

static APART void catches(void)
{
	size_t depth;
	zprof_lent_enter(fact);
	depth = zprof_lent_depth();
	if (!setjmp(back))
		throws(2);
	zprof_lent_unwind(depth);
	steps += 7;
	zprof_lent_leave();
}

static APART void coroutines(void)
{
	uint64_t a = zprof_lent_stack(), b = zprof_lent_stack();
	zprof_lent_enter(fact);
	zprof_lent_switch(a);
	zprof_lent_enter(even);
	steps++;
	zprof_lent_switch(b);
	zprof_lent_enter(odd);
	steps += 2;
	zprof_lent_switch(a);
	steps += 3;
	zprof_lent_leave();
	zprof_lent_switch(0);
	zprof_lent_leave();
	zprof_lent_free(a);
	zprof_lent_free(b); /* odd has not returned */
}

static APART void continuations(void)
{
	uint64_t k;
	zprof_lent_enter(even);
	k = zprof_lent_capture();
	zprof_lent_enter(square);
	zprof_lent_restore(k); /* escapes: square is abandoned, even is still open */
	zprof_lent_leave();
	zprof_lent_restore(k); /* even again */
	steps += 9;
	zprof_lent_leave();
	zprof_lent_free(k);
}

UNSEEN static void describe(void *context, struct zprof_function *function)
{
	function->name = (const char *)context;
	function->group = "made";
	function->file = "late.l";
	function->line = 3;
}

static APART void late(void)
{
	zprof_lent_enter(later);
	zprof_lent_leave();
}

static APART void counts_itself(void)
{
	struct zprof_asking asking;
	struct zprof_counted told[3];
	uint32_t path[3];
	path[0] = fact, path[1] = square, path[2] = even;
	if (zprof_lent_begin(&asking) && zprof_lent_asks(&asking))
		steps++; /* not reached with this clock, which needs each zone entered by itself */
	(void)zprof_lent_path(&asking, path, 2);
	steps += 3;
	(void)zprof_lent_path(&asking, path, 3); /* fact and square stay open */
	(void)zprof_lent_path(&asking, path + 1, 2);
	prim(); /* called by even? */
	(void)zprof_lent_path(&asking, path, 0);
	memset(told, 0, sizeof told);
	told[0].zone = fact, told[0].calls = 10, told[0].counter[1] = 160;
	told[1].zone = square, told[1].calls = 20, told[1].caller = 1;
	told[2].zone = later, told[2].calls = 5, told[2].caller = 2, told[2].counter[0] = 50;
	zprof_lent_add(told, 3);
}

/* ---- control */

static APART void in_pause(int n)
{
	ZPROF(unseen);
	if (n)
		in_pause(n - 1);
}

static APART void pauses(void)
{
	zprof_lent_enter(fact);
	zprof_pause();
	in_pause(3);
	zprof_lent_enter(square);
	zprof_pause();
	zprof_resume();
	in_pause(1);
	zprof_lent_leave();
	zprof_resume();
	zprof_lent_leave();
}

static APART void handler(int number)
{
	ZPROF(in_handler);
	zprof_lent_enter(square);
	steps += (uint64_t)number;
	zprof_lent_leave();
}

int main(void)
{
	fact = zprof_lent("fact", "lisp", "fact.l", 1);
	square = zprof_lent("square", "lisp", "fact.l", 9);
	even = zprof_lent("even?", "lisp", "even.l", 1);
	odd = zprof_lent("odd?", "lisp", "even.l", 2);
	later = zprof_lent_late(describe, (void *)"made up");
	if (zprof_recording() &&
	    (!zprof_lent_counter("steps", &steps) || !zprof_lent_counter("bytes", &bytes)))
		return 1;
	zprof_thread_name("all of it");
	zprof_stack(coroutine_stack, sizeof coroutine_stack);
	for (int i = 0; i < 4; i++) {
		by_scope(i);
		by_pairs(i);
		other(i);
		zprof_frame("turn");
	}
	unbalanced();
	unbalanced();
	if (!setjmp(back))
		leaves_open();
	evaluate(3);
	tail_loop(10);
	catches();
	coroutines();
	continuations();
	late();
	counts_itself();
	pauses();
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	zprof_flush();
	return 0;
}

#ifdef __cplusplus
}
#endif
