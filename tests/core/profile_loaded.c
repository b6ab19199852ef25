/* SPDX-License-Identifier: MIT */
/* profile_loaded.c - see profile_loaded.h. */
#include "tests/core/profile_loaded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>

#include "tests/core/profile_builder.h"

void profile_loaded(struct load *l, const char *text)
{
	size_t n;
	struct profile p;
	struct str err = {0};
	uint8_t *bytes = profile_build(text, &n);
	assert_non_null(bytes);
	assert_true(profile_parse(&p, "x", bytes, n, &err));
	load_profile(l, &p);
	profile_free(&p);
	free(bytes);
}
