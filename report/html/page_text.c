/* SPDX-License-Identifier: MIT */
/* page_text.c - see page_text.h. */
#define _GNU_SOURCE
#include "report/html/page_text.h"

#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/core/view/view.h"

void page_text(FILE *to, const char *text)
{
	char *json;
	size_t bytes;
	FILE *memory = memory_stream(&json, &bytes);
	view_json_write(memory, view_json_text(text));
	memory_stream_end(memory, &json);
	for (const char *c = json; *c; c++) {
		if (*c == '<')
			fputs("\\u003c", to);
		else
			fputc(*c, to);
	}
	free(json);
}
