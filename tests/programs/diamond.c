/* SPDX-License-Identifier: MIT */
/*
 * diamond.c - two callers share a function that costs one ten times what it costs the other.
 *
 * left calls shared often and lets it do little; right calls it seldom and makes it work. A
 * profiler that divides by calls gets this wrong.
 */
#include "tests/programs/truth.h"

static void leaf(void)
{
}

static void shared(int work)
{
	for (int i = 0; i < work; i++)
		CALL(leaf);
}

static void left(void)
{
	for (int i = 0; i < 10; i++)
		CALL(shared, 1);
}

static void right(void)
{
	CALL(shared, 100);
}

int main(void)
{
	truth_add("-", "main", 1, 1);
	CALL(left);
	CALL(right);
	return 0;
}
