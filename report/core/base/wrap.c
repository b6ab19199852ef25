/* SPDX-License-Identifier: MIT */
/* wrap.c - see wrap.h. */
#include "report/core/base/wrap.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "report/core/base/text_width.h"

#define LEAST_ROOM 8 /* for text, on however narrow a terminal */

/* Whether AT is the space between a number and its unit, where a line does not break. */
static bool before_unit(const char *text, size_t at)
{
	static const char *const units[] = {"ns", "us", "ms", "s", "%"};
	const char *unit = text + at + 1;
	size_t length = strcspn(unit, " \n,;:.)");
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (at && isdigit((unsigned char)text[at - 1]) && length == strlen(units[i]) &&
		    !strncmp(unit, units[i], length))
			return true;
	return false;
}

/* How many bytes of TEXT, a part of a line, go on a line of ROOM columns. */
static size_t bytes_that_fit(const char *text, int room)
{
	size_t at = 0, space = 0;
	bool in_word = false; /* a line does not break at the spaces that it begins with */
	while (text[at] && text[at] != '\n') {
		int width;
		size_t bytes = text_width_next(text + at, &width);
		if (text[at] == ' ' && in_word && !before_unit(text, at))
			space = at;
		else if (width > room)
			return space ? space : at ? at : bytes;
		in_word |= text[at] != ' ';
		room -= width;
		at += bytes;
	}
	return at;
}

static const char *print_line(const struct terminal *t, const char *text, int indent)
{
	for (int before = 0;; before = indent) {
		size_t bytes = bytes_that_fit(text, t->width - before);
		fprintf(t->out, "%*s%.*s\n", before, "", (int)bytes, text);
		text += bytes;
		while (*text == ' ')
			text++;
		if (!*text || *text == '\n')
			return text;
	}
}

void wrap_print_indented(const struct terminal *t, const char *text, int indent)
{
	if (!t->width) {
		fputs(text, t->out);
		return;
	}
	if (t->width < indent + LEAST_ROOM)
		indent = t->width > LEAST_ROOM ? t->width - LEAST_ROOM : 0;
	while (*text) {
		text = print_line(t, text, indent);
		text += *text == '\n';
	}
}

void wrap_print(const struct terminal *t, const char *text)
{
	wrap_print_indented(t, text, WRAP_INDENT);
}
