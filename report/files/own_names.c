/* SPDX-License-Identifier: MIT */
/* own_names.c - see own_names.h. */
#include "report/files/own_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Where NAME has NUMBER with no digit beside it; NULL: nowhere. */
static const char *find_number(const char *name, const char *number)
{
	size_t n = strlen(number);
	for (const char *at = name; (at = strstr(at, number)); at++)
		if ((at == name || !isdigit((unsigned char)at[-1])) &&
		    !isdigit((unsigned char)at[n]))
			return at;
	return NULL;
}

/* The length of NAME without a `.2` appended at its end. The first PROTECTED bytes are kept. */
static size_t without_part(const char *name, size_t protected)
{
	size_t n = strlen(name), end = n;
	while (end > protected && isdigit((unsigned char)name[end - 1]))
		end--;
	bool is_part = end < n && end > protected && end > 1 && name[end - 1] == '.' &&
		       name[end] != '0' && strcmp(name + end, "1") != 0;
	return is_part ? end - 1 : n;
}

void own_names_literal(struct str *pattern, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_add(pattern, text[i] == '%' ? "%%%%" : "%c", text[i]);
}

void own_names_pattern(const char *path, uint32_t pid, struct str *pattern)
{
	char number[16];
	const char *name = base_name(path), *at;
	snprintf(number, sizeof number, "%u", pid);
	str_clear(pattern);
	at = find_number(name, number);
	size_t before = at ? (size_t)(at - name) : 0;
	size_t number_bytes = at ? strlen(number) : 0;
	size_t end = without_part(name, before + number_bytes);
	own_names_literal(pattern, name, before);
	if (at)
		str_add(pattern, "%%p");
	own_names_literal(pattern, name + before + number_bytes, end - before - number_bytes);
}

static bool is_part(const char *text)
{
	size_t digits = *text == '.' ? strspn(text + 1, "0123456789") : 0;
	return digits && !text[1 + digits] && text[1] != '0';
}

bool own_names_fit(const char *pattern, const char *path, uint32_t pid)
{
	struct str expected = {0};
	const char *name = base_name(path);
	for (; *pattern; pattern++) {
		bool percent = *pattern == '%' && pattern[1];
		pattern += percent;
		if (percent && *pattern == 'p')
			str_add(&expected, "%u", pid);
		else
			str_add(&expected, "%c", *pattern);
	}
	bool fits = !strncmp(name, str_text(&expected), expected.used) &&
		    (!name[expected.used] || is_part(name + expected.used));
	str_free(&expected);
	return fits;
}
