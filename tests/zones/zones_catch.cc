/* SPDX-License-Identifier: MIT */
/*
 * zones_catch.cc - a zone by hand and an inlined function in an exception handler, which compilers
 * put into a distant part of its function.
 */
#include <stdexcept>

#include "preload/zprof.h"

#define APART __attribute__((noinline))

static volatile int sink;

static inline void inlined(int n)
{
	sink += n;
}

static APART void leaf(int n)
{
	sink += n;
	if (n > 2)
		throw std::runtime_error("seldom");
}

static APART void guarded(int n)
{
	try {
		leaf(n);
	} catch (const std::exception &) {
		ZPROF(handling);
		inlined(3);
		inlined(4);
	}
	leaf(0);
}

int main()
{
	for (int i = 0; i < 10; i++)
		guarded(i);
	return 0;
}
