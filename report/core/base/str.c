/* SPDX-License-Identifier: MIT */
/* str.c - see str.h. */
#include "report/core/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

static void reserve(struct str *s, size_t n)
{
	if (s->used + n + 1 <= s->room)
		return;
	s->room = (s->used + n + 1) * 2;
	s->text = memory_resize(s->text, s->room, 1);
}

void str_add_list(struct str *s, const char *format, va_list list)
{
	va_list again;
	va_copy(again, list);
	int n = vsnprintf(NULL, 0, format, list);
	if (n > 0) {
		reserve(s, (size_t)n);
		vsnprintf(s->text + s->used, (size_t)n + 1, format, again);
		s->used += (size_t)n;
	}
	va_end(again);
}

void str_add(struct str *s, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	str_add_list(s, format, list);
	va_end(list);
}

void str_add_bytes(struct str *s, const char *bytes, size_t n)
{
	reserve(s, n);
	memcpy(s->text + s->used, bytes, n);
	s->used += n;
	s->text[s->used] = 0;
}

void str_clear(struct str *s)
{
	s->used = 0;
	if (s->text)
		s->text[0] = 0;
}

void str_free(struct str *s)
{
	free(s->text);
	*s = (struct str){0};
}

const char *str_text(const struct str *s)
{
	return s->text ? s->text : "";
}

bool str_fail(struct str *err, const char *format, ...)
{
	va_list list;
	str_clear(err);
	va_start(list, format);
	str_add_list(err, format, list);
	va_end(list);
	return false;
}
