/* SPDX-License-Identifier: MIT */
/*
 * sites_cxx.cc - hooks go off and on again in the middle of what C++ does with stacks.
 *
 *   sites_cxx coroutines    while some are suspended, inside one, and between one and its caller
 *   sites_cxx exceptions    before one is thrown, and where it is caught
 *   sites_cxx handlers      inside a signal's handler, on a stack of its own
 *
 * Prints `NAME CALLS` as sites.c does.
 */
#include <coroutine>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#define APART __attribute__((noinline, noclone))

extern "C" int leaf(int x); /* so that reports show no arguments */
#define SWITCHED leaf
#include "tests/programs/switching.h"

enum { LEAF, STEP, AFTER, FUNCTIONS };
static long calls[FUNCTIONS];
static const char *const names[] = {"leaf", "step", "after"};

QUIET static void count(int which)
{
	if (recorded)
		calls[which]++;
}

extern "C" APART int leaf(int x)
{
	count(LEAF);
	sink += x;
	return x * 3 + 1;
}

extern "C" APART int step(int x)
{
	count(STEP);
	return leaf(x) + 1;
}

extern "C" APART int after(int x)
{
	count(AFTER);
	return leaf(x) + 2;
}

/* ---- coroutines */

struct generator {
	struct promise_type {
		int value;
		QUIET generator get_return_object()
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		QUIET std::suspend_always initial_suspend()
		{
			return {};
		}
		QUIET std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		QUIET std::suspend_always yield_value(int v)
		{
			value = v;
			return {};
		}
		QUIET void return_void()
		{
		}
		QUIET void unhandled_exception()
		{
			std::terminate();
		}
	};
	std::coroutine_handle<promise_type> handle;
};

static generator numbers(bool switches)
{
	for (int i = 0; i < 10; i++) {
		step(i);
		if (switches && i == 2)
			fall_asleep();
		step(i);
		if (switches && i == 4)
			wake_up();
		co_yield i;
	}
}

APART static int resume(generator &g)
{
	g.handle.resume();
	return after(g.handle.promise().value);
}

APART static void coroutines()
{
	generator quiet = numbers(false), loud = numbers(true);

	recorded = 1;
	for (int i = 0; i < 6; i++) {
		resume(loud);
		resume(quiet);
		if (i == 1 || i == 5) {
			fall_asleep();
			resume(quiet);
			wake_up();
		}
	}
	recorded = 0;
	quiet.handle.destroy();
	loud.handle.destroy();
}

/* ---- exceptions */

struct guard {
	~guard()
	{
		step(1);
	}
};

APART static int thrower(int n, bool off)
{
	guard g;

	if (n)
		return thrower(n - 1, off) + 1;
	if (off)
		fall_asleep();
	throw n;
}

APART static int catcher(int n, bool off, bool on)
{
	try {
		return thrower(n, off);
	} catch (int) {
		if (on)
			wake_up();
		return after(n);
	}
}

APART static void exceptions()
{
	recorded = 1;
	for (int i = 0; i < 3; i++) {
		catcher(5, false, false);
		catcher(5, true, true);
		catcher(5, true, false);
		step(2);
		wake_up();
		after(i);
	}
	recorded = 0;
}

/* ---- handlers */

APART static void on_signal(int)
{
	step(1);
	fall_asleep();
	step(2);
	wake_up();
	step(3);
}

APART static void handlers()
{
	static char stack[131072];
	stack_t alternate = {};
	struct sigaction action = {};

	alternate.ss_sp = stack;
	alternate.ss_size = sizeof(stack);
	sigaltstack(&alternate, nullptr);
	action.sa_handler = on_signal;
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, nullptr);
	recorded = 1;
	for (int i = 0; i < 3; i++) {
		after(i);
		raise(SIGUSR1);
		after(i);
		fall_asleep();
		after(i);
		wake_up();
	}
	recorded = 0;
}

QUIET int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "coroutines"))
		coroutines();
	else if (!strcmp(what, "exceptions"))
		exceptions();
	else if (!strcmp(what, "handlers"))
		handlers();
	for (int i = 0; i < FUNCTIONS; i++)
		if (calls[i])
			printf("%s %ld\n", names[i], calls[i]);
	return status;
}
