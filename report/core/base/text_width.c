/* SPDX-License-Identifier: MIT */
/*
 * text_width.c - see text_width.h. The C library knows which characters are wide, in the locale
 * C.UTF-8, which is built into glibc. zprof's own locale stays C.
 */
#define _GNU_SOURCE
#include "report/core/base/text_width.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

static locale_t utf8(void)
{
	static locale_t locale;
	static int asked;
	if (!asked)
		locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	asked = 1;
	return locale;
}

size_t text_width_next(const char *text, int *width)
{
	mbstate_t state;
	wchar_t c;
	*width = 1;
	if ((unsigned char)*text < 128 || !utf8())
		return 1;
	memset(&state, 0, sizeof state);
	locale_t before = uselocale(utf8());
	size_t bytes = mbrtowc(&c, text, strlen(text), &state);
	if (bytes && bytes < (size_t)-2 && wcwidth(c) >= 0)
		*width = wcwidth(c);
	uselocale(before);
	return bytes && bytes < (size_t)-2 ? bytes : 1;
}

int text_width(const char *text)
{
	int sum = 0;
	while (*text) {
		int width;
		text += text_width_next(text, &width);
		sum += width;
	}
	return sum;
}
