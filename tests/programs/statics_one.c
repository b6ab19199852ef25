/* SPDX-License-Identifier: MIT */
/* statics_one.c - with statics_two.c: two files with a static function of the same name, which are
 * two functions. */
#include "tests/programs/truth.h"

void two(void);

static void helper(void)
{
}

static void one(void)
{
	for (int i = 0; i < 3; i++)
		CALL_AS("one", "helper@statics_one.c", helper());
}

int main(void)
{
	truth_add("-", "main", 1, 1);
	CALL(one);
	CALL(two);
	return 0;
}
