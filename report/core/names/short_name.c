/* SPDX-License-Identifier: MIT */
/* short_name.c - see short_name.h. */
#include "report/core/names/short_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/text_width.h"

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

/* The bracket that closes the one at AT, or NULL. The `>` of an arrow (`->`) closes nothing. */
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

/* Adds NAME, with `...` for the content of those brackets that are in OPENING. */
static void add_emptied(struct str *text, const char *name, const char *opening)
{
	static const char kept[] = "(anonymous namespace)";
	for (const char *at = name; *at;) {
		size_t n = operator_length(name, at);
		if (!n && !strncmp(at, kept, sizeof kept - 1))
			n = sizeof kept - 1;
		const char *close = !n && strchr(opening, *at) ? closing(at) : NULL;
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

void short_name(struct str *text, const char *name)
{
	str_clear(text);
	if (strlen(name) <= SHORT_NAME_MOST)
		str_add(text, "%s", name);
	else
		add_emptied(text, name, "<(");
}

/*
 * Where the name itself begins, behind its return type: after the last space that is outside
 * brackets and before the parameters. Thunks, and operators named by types, contain spaces, and are
 * kept whole.
 */
static const char *behind_type(const char *name)
{
	const char *begin = name;
	if (strstr(name, " to ") || strstr(name, " for ") || !strncmp(name, "operator", 8))
		return name;
	for (const char *at = name; *at; at++) {
		if (operator_length(name, at) || !strncmp(at, "operator", 8))
			break;
		if (*at == '<' || (*at == '(' && !strncmp(at, "(anonymous", 10))) {
			const char *close = closing(at);
			if (!close)
				break;
			at = close;
		} else if (*at == '(' || *at == '[') {
			break;
		} else if (*at == ' ' && at[1] != '[' && at[1]) {
			begin = at + 1;
		}
	}
	return begin;
}

/* The text after the first `::` outside brackets; NULL if there is none. */
static const char *next_scope(const char *name)
{
	for (const char *at = name; *at; at++) {
		size_t n = operator_length(name, at);
		const char *close = !n && (*at == '<' || *at == '(') ? closing(at) : NULL;
		if (close && strncmp(at, "(anonymous", 10) != 0 && *at == '(')
			return NULL;
		if (n)
			return NULL;
		if (close)
			at = close;
		else if (at[0] == ':' && at[1] == ':')
			return at + 2;
	}
	return NULL;
}

/* Where the emptied parameters begin; NULL if there are none. A lambda or a local class has the
 * parameters of the function around it in its name; these, and a lambda's own, are not cut off. */
static char *parameters(char *name)
{
	for (char *at = name; *at; at++) {
		at += operator_length(name, at);
		if (at > name && (!strncmp(at, "(...)", 5) || !strncmp(at, "()", 2)) &&
		    !strstr(at, "::"))
			return at;
		if (!*at)
			return NULL;
	}
	return NULL;
}

/* Makes ever shorter forms of a name until one fits. */
static void fit(struct str *text, const char *name, int room)
{
	static const char *const opening[] = {"(", "<("};
	const char *begin = behind_type(name), *scope;
	str_clear(text);
	str_add(text, "%s", begin);
	for (int i = 0; i < 2 && text_width(str_text(text)) > room; i++) {
		str_clear(text);
		add_emptied(text, begin, opening[i]);
	}
	char *end = text_width(str_text(text)) > room ? parameters(text->text) : NULL;
	if (end) {
		*end = 0;
		text->used = (size_t)(end - text->text);
	}
	const char *rest = str_text(text);
	while (text_width(rest) > room && (scope = next_scope(rest)))
		rest = scope;
	char *copy = memory_text(rest, strlen(rest));
	str_clear(text);
	str_add(text, "%s", copy);
	free(copy);
}

void short_name_fit(struct str *text, const char *name, const char *other, int room)
{
	size_t same = 0;
	fit(text, name, other ? room / 2 : room);
	if (!other)
		return;
	/* The beginning that both names share, then the text from where they differ. */
	while (name[same] && name[same] == other[same])
		same++;
	while (same && is_word(name[same - 1]))
		same--;
	while (text->used && text_width(text->text) > room / 2)
		text->text[--text->used] = 0;
	while (text->used && ((unsigned char)text->text[text->used - 1] & 0xc0) == 0xc0)
		text->text[--text->used] = 0;
	str_add(text, "~%s", name + same);
}
