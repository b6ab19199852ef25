/* SPDX-License-Identifier: MIT */
/*
 * coroutines20.cc - C++20 coroutines: resuming one is a call of its body, suspending a return.
 *
 * They have no stack, so there is nothing to learn or repair. gcc makes three functions of a
 * coroutine: count_up, which allocates it and starts the body; the body (.actor); and .destroy,
 * which has the body clean up. All have its name. Built with the functions of the standard
 * library's headers left out.
 */
#include "tests/programs/truth.h"

#include <coroutine>

static int leaf(int n)
{
	return n + 1;
}

struct Generator {
	struct promise_type {
		int value;
		UNSEEN Generator get_return_object()
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		UNSEEN std::suspend_always initial_suspend() noexcept
		{
			return {};
		}
		UNSEEN std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		UNSEEN std::suspend_always yield_value(int v)
		{
			value = v;
			return {};
		}
		UNSEEN void return_void()
		{
		}
		UNSEEN void unhandled_exception()
		{
		}
	};
	std::coroutine_handle<promise_type> handle;
};

/* gcc 12 cannot compile the counting macros in a coroutine. */
static struct truth_arc body_to_leaf = {"count_up", "leaf", 0, 0, nullptr};

static Generator count_up(int n)
{
	for (int i = 0; i < n; i++) {
		truth_count(&body_to_leaf);
		co_yield leaf(i);
	}
}

static int drain(Generator &g)
{
	int sum = 0;
	for (;;) {
		CALL_AS("drain", "count_up", g.handle.resume());
		if (g.handle.done())
			return sum;
		sum += CALL(leaf, g.handle.promise().value);
	}
}

int main()
{
	int sum = 0;
	truth_add("-", "main", 1, 1);
	for (int n = 0; n < 10; n++) {
		TRUTH_COUNT("count_up", "count_up"); /* starts its body */
		Generator g = CALL(count_up, n);
		sum += CALL(drain, g);
		TRUTH_COUNT("count_up", "count_up"); /* has its body clean up */
		CALL_AS("main", "count_up", g.handle.destroy());
	}
	return sum != 210;
}
