/* SPDX-License-Identifier: MIT */
/* library_name.c - see library_name.h. */
#include "report/cxx/library_name.h"

#include <ctype.h>
#include <string.h>

#include "report/cxx/brackets.h"
#include "report/cxx/plain_name.h"

static bool is_reserved(const char *part)
{
	return part[0] == '_' && (part[1] == '_' || isupper((unsigned char)part[1]));
}

/* Whether a part of NAME, which is plain and without a type, is reserved. */
static bool any_reserved(const char *name)
{
	const char *end = name + strlen(name);
	bool begins = true;
	for (const char *at = name; *at && !brackets_operator(name, at); at++) {
		const char *close = strchr("<([{", *at) ? brackets_close(name, at, end) : NULL;
		if (begins && is_reserved(*at == '~' ? at + 1 : at))
			return true;
		begins = at[0] == ':';
		if (close)
			at = close;
	}
	return false;
}

bool library_internal(const char *name)
{
	struct str plain = {0};
	plain_name(&plain, name);
	const char *bare = plain_name_behind_type(str_text(&plain));
	bool internal = !strncmp(bare, "std::", 5) ? any_reserved(bare)
						   : !strncmp(bare, "__gnu_cxx::", 11) ||
							 !strncmp(bare, "__cxxabiv1::", 12);
	str_free(&plain);
	return internal;
}
