/* SPDX-License-Identifier: MIT */
/* short_name.c - see short_name.h. */
#include "report/model/short_name.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Length of an operator's name at AT: `operator<<`, `operator()`; 0 if there is none. */
static size_t operator_length(const char *name, const char *at)
{
	size_t n = strlen("operator");
	if (strncmp(at, "operator", n) || is_word(at[n]) || (at > name && is_word(at[-1])))
		return 0;
	if (!strncmp(at + n, "()", 2))
		return n + 2;
	return n + strspn(at + n, "<>=!-");
}

/* The bracket that closes the one at AT, or NULL. The arrow of a return type closes nothing. */
static const char *closing(const char *at)
{
	int depth = 0;
	for (; *at; at++) {
		if (*at == '<' || *at == '(')
			depth++;
		else if ((*at == '>' && at[-1] != '-') || *at == ')')
			depth--;
		if (!depth)
			return at;
	}
	return NULL;
}

void short_name(struct str *text, const char *name)
{
	static const char kept[] = "(anonymous namespace)";
	str_clear(text);
	if (strlen(name) <= SHORT_NAME_MOST) {
		str_add(text, "%s", name);
		return;
	}
	for (const char *at = name; *at;) {
		size_t n = operator_length(name, at);
		if (!n && !strncmp(at, kept, sizeof kept - 1))
			n = sizeof kept - 1;
		const char *close = !n && (*at == '<' || *at == '(') ? closing(at) : NULL;
		if (close && close > at + 1) {
			str_add(text, "%c...%c", *at, *close);
			at = close + 1;
			continue;
		}
		n = n ? n : 1;
		str_add_bytes(text, at, n);
		at += n;
	}
}
