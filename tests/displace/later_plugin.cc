/* SPDX-License-Identifier: MIT */
/*
 * later_plugin.cc - a library for later.c. Its constructor calls within(), which is not counted. Each tenth
 * call throws, through a function whose entry is displaced. With -DPLUGGED=other -DWITHIN=inside it is
 * another library.
 */
#ifndef PLUGGED
#define PLUGGED plugged
#define WITHIN  within
#endif

#define APART __attribute__((noinline, noclone, used))

static volatile int sink;

extern "C" {
APART void WITHIN(void (*function)(void), int i, bool may_throw)
{
	if (function)
		function();
	if (may_throw && i % 10 == 9)
		throw i;
	sink = sink + i;
}

APART int PLUGGED(void (*function)(void), int i)
{
	WITHIN(function, i, false);
	try {
		WITHIN(function, i, true);
	} catch (int) {
		return 1;
	}
	return 0;
}

static __attribute__((constructor)) void constructor(void)
{
	WITHIN(nullptr, 0, false);
}
}
