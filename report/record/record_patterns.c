/* SPDX-License-Identifier: MIT */
/* record_patterns.c - see record_patterns.h. */
#include "report/record/record_patterns.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

bool record_patterns(struct patterns *to, const char *option, const char *value, struct str *err)
{
	bool ok = true;
	pattern_list_free(to);
	while (ok && *(value += strspn(value, " "))) {
		size_t n = strcspn(value, " ");
		char *pattern = memory_text(value, n);
		ok = pattern_list_add_prefixed(to, pattern, err);
		free(pattern);
		value += n;
	}
	return ok && (to->count || str_fail(err, "--%s: empty pattern", option));
}
