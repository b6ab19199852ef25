/* SPDX-License-Identifier: MIT */
/* brackets.c - see brackets.h. */
#include "report/cxx/brackets.h"

#include <ctype.h>
#include <string.h>

#define DEEPEST 256 /* brackets within brackets; a name with more is left alone */

bool brackets_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || ((unsigned char)c & 0x80);
}

size_t brackets_operator(const char *name, const char *at)
{
	/* Longer names stand before those that begin like them. */
	static const char *const signs[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
					    ">>", "<=", ">=",  "->",  "<",   ">"};
	size_t n = strlen("operator");
	if (*at != 'o' || strncmp(at, "operator", n) || brackets_is_word(at[n]) ||
	    (at > name && brackets_is_word(at[-1])))
		return 0;
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (!strncmp(at + n, signs[i], strlen(signs[i])))
			return n + strlen(signs[i]);
	return n + strspn(at + n, "=!+-*/%^&|~,");
}

size_t brackets_anonymous(const char *at)
{
	static const char text[] = "(anonymous namespace)";
	return *at == '(' && !strncmp(at, text, sizeof text - 1) ? sizeof text - 1 : 0;
}

/* Whether the bracket at AT opens something: a `<` behind a parenthesis compares. */
static bool opens(const char *at, bool behind_operator, int depth)
{
	if (*at == '(' || *at == '[' || *at == '{')
		return true;
	return *at == '<' && (!depth || behind_operator || (at[-1] != ')' && at[-1] != '<'));
}

const char *brackets_close(const char *name, const char *at, const char *end)
{
	char open[DEEPEST];
	int depth = 0;
	const char *operator_end = NULL;
	while (at < end) {
		size_t skip = brackets_operator(name, at);
		if (skip) {
			operator_end = at += skip;
			continue;
		}
		if (opens(at, at == operator_end, depth)) {
			if (depth == DEEPEST)
				return NULL;
			open[depth++] = *at;
		} else if (*at == '>' && at[-1] != '-') {
			depth -= depth && open[depth - 1] == '<';
		} else if (*at == ')' || *at == ']' || *at == '}') {
			char other = *at == ')' ? '(' : *at == ']' ? '[' : '{';
			while (depth && open[depth - 1] == '<')
				depth--;
			if (!depth || open[depth - 1] != other)
				return NULL;
			depth--;
		}
		if (!depth)
			return at;
		at++;
	}
	return NULL;
}
