/* SPDX-License-Identifier: MIT */
/* wrap.c - see wrap.h. */
#include "report/base/wrap.h"

#include <stdbool.h>
#include <stdio.h>

#include "report/base/text_width.h"

#define LEAST_ROOM 8 /* for text, on however narrow a terminal */

/* How many bytes of TEXT, a part of a line, go on a line of ROOM columns. */
static size_t bytes_that_fit(const char *text, int room)
{
	size_t at = 0, space = 0;
	bool in_word = false; /* a line does not break at the spaces that it begins with */
	while (text[at] && text[at] != '\n') {
		int width;
		size_t bytes = text_width_next(text + at, &width);
		if (text[at] == ' ' && in_word)
			space = at;
		else if (width > room)
			return space ? space : at ? at : bytes;
		in_word |= text[at] != ' ';
		room -= width;
		at += bytes;
	}
	return at;
}

static const char *print_line(const char *text, int width, int indent)
{
	for (int before = 0;; before = indent) {
		size_t bytes = bytes_that_fit(text, width - before);
		printf("%*s%.*s\n", before, "", (int)bytes, text);
		text += bytes;
		while (*text == ' ')
			text++;
		if (!*text || *text == '\n')
			return text;
	}
}

void wrap_print_indented(const char *text, int width, int indent)
{
	if (!width) {
		fputs(text, stdout);
		return;
	}
	if (width < indent + LEAST_ROOM)
		indent = width > LEAST_ROOM ? width - LEAST_ROOM : 0;
	while (*text) {
		text = print_line(text, width, indent);
		text += *text == '\n';
	}
}

void wrap_print(const char *text, int width)
{
	wrap_print_indented(text, width, WRAP_INDENT);
}
