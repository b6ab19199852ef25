/* SPDX-License-Identifier: MIT */
/* option_text.c - see option_text.h. */
#include "report/core/base/option_text.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/str.h"

char *option_text(const char *options, const char *name)
{
	const char *at = options ? options : "";
	size_t length = strlen(name);
	struct str item = {0};
	char *value = NULL;
	while (*at) {
		str_clear(&item);
		for (; *at && *at != ','; at++) {
			at += at[0] == '\\' && at[1] == ',';
			str_add_bytes(&item, at, 1);
		}
		at += *at == ',';
		if (strncmp(str_text(&item), name, length) || item.text[length] != '=')
			continue;
		free(value);
		value = memory_text(item.text + length + 1, item.used - length - 1);
	}
	str_free(&item);
	return value;
}
