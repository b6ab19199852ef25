/* SPDX-License-Identifier: MIT */
/* statics_two.c - the other half of statics_one.c. */
#include "tests/programs/truth.h"

void two(void);

static void helper(void)
{
}

void two(void)
{
	for (int i = 0; i < 7; i++)
		CALL_AS("two", "helper@statics_two.c", helper());
}
