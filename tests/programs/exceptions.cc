/* SPDX-License-Identifier: MIT */
/*
 * exceptions.cc - C++ exceptions through instrumented and uninstrumented frames, rethrown, thrown
 * by destructors' callees, and unwinding without an exception (_Unwind_ForcedUnwind).
 *
 * gcc runs the exit hooks of the frames that an exception passes; clang does not.
 */
#include "tests/programs/truth.h"

#include <setjmp.h>
#include <string.h>
#include <unwind.h>

static void after()
{
}

APART static void thrower(int n)
{
	if (n == 0)
		throw 42;
	CALL(thrower, n - 1);
}

UNSEEN APART static void unseen(int n)
{
	TRUTH_COUNT("through_unseen", "thrower");
	thrower(n);
}

APART static void through_unseen(int n)
{
	unseen(n);
}

APART static void rethrower(int n)
{
	try {
		CALL(thrower, n);
	} catch (int) {
		CALL(after);
		throw;
	}
}

/* A destructor whose callee throws and catches, while another exception is on its way through. */
struct Guard {
	Guard()
	{
	}
	~Guard()
	{
		try {
			TRUTH_COUNT("Guard::~Guard", "thrower");
			thrower(2);
		} catch (int) {
			TRUTH_COUNT("Guard::~Guard", "after");
			after();
		}
	}
};

APART static void guarded(int n)
{
	TRUTH_COUNT("guarded", "Guard::Guard");
	Guard guard;
	TRUTH_COUNT("guarded", "Guard::~Guard");
	CALL(thrower, n);
}

struct Thrower {
	Thrower()
	{
	}
	~Thrower() noexcept(false)
	{
		TRUTH_COUNT("Thrower::~Thrower", "thrower");
		thrower(1);
	}
};

APART static void destructor_throws()
{
	TRUTH_COUNT("destructor_throws", "Thrower::Thrower");
	Thrower thrower_object;
	TRUTH_COUNT("destructor_throws", "Thrower::~Thrower");
}

static void catch_all(void (*function)(int), const char *name, int n)
{
	(void)name;
	try {
		function(n);
	} catch (int) {
		CALL(after);
	}
}

/* Forced unwinding to the frame of a function, as thread cancellation does it. */
static jmp_buf target;

UNSEEN static _Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class,
				       _Unwind_Exception *, _Unwind_Context *context, void *limit)
{
	if ((actions & _UA_END_OF_STACK) || _Unwind_GetRegionStart(context) == (_Unwind_Ptr)limit)
		longjmp(target, 1);
	return _URC_NO_REASON;
}

APART static void force(int n, void *limit)
{
	static _Unwind_Exception exception;
	if (n > 0) {
		CALL(force, n - 1, limit);
		return;
	}
	memset(&exception, 0, sizeof exception);
	_Unwind_ForcedUnwind(&exception, stop, limit);
}

APART static void forced(int n)
{
	if (setjmp(target) == 0)
		CALL(force, n, (void *)forced);
	CALL(after);
}

int main()
{
	truth_add("-", "main", 1, 1);
	/* as in virtual.cc: clang's constructor of a whole object calls that of a base object */
	truth_may("Guard::Guard", "Guard::Guard");
	truth_may("Guard::~Guard", "Guard::~Guard");
	truth_may("Thrower::Thrower", "Thrower::Thrower");
	truth_may("Thrower::~Thrower", "Thrower::~Thrower");
	for (int i = 0; i < 10; i++) {
		TRUTH_COUNT("catch_all", "thrower");
		CALL(catch_all, thrower, "thrower", i);
		TRUTH_COUNT("catch_all", "through_unseen");
		CALL(catch_all, through_unseen, "through_unseen", i);
		TRUTH_COUNT("catch_all", "rethrower");
		CALL(catch_all, rethrower, "rethrower", i);
		TRUTH_COUNT("catch_all", "guarded");
		CALL(catch_all, guarded, "guarded", i);
		CALL(forced, i);
		try {
			CALL(destructor_throws);
		} catch (int) {
			CALL(after);
		}
	}
	return 0;
}
