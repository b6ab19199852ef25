/* SPDX-License-Identifier: MIT */
/* name_forms.c - see name_forms.h. */
#include "report/core/names/name_forms.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/cxx/plain_name.h"

/* The bracket that belongs to the one at CLOSE; NULL if there is none after NAME's first letter. */
static const char *opening(const char *name, const char *close, char open)
{
	int depth = 0;
	for (const char *at = close; at > name; at--) {
		depth += (*at == *close) - (*at == open);
		if (!depth)
			return at;
	}
	return NULL;
}

/* `ns::f(int (*)(char)) const` to `ns::f`; the parentheses of `(anonymous namespace)::f` stay. */
static size_t length_without_parameters(const char *name)
{
	const char *close = strrchr(name, ')'), *open = NULL;
	if (close && strncmp(close + 1, "::", 2))
		open = opening(name, close, '(');
	return open ? (size_t)(open - name) : strlen(name);
}

char *name_without_parameters(const char *name)
{
	return memory_text(name, length_without_parameters(name));
}

/* `ns::f<int>` to `ns::f`; `operator>` stays. */
static size_t length_without_arguments(const char *name)
{
	size_t n = strlen(name);
	const char *open = n && name[n - 1] == '>' ? opening(name, name + n - 1, '<') : NULL;
	return open ? (size_t)(open - name) : n;
}

static bool is_operator(const char *at)
{
	static const char word[] = "operator";
	size_t n = sizeof word - 1;
	return !strncmp(at, word, n) && !isalnum((unsigned char)at[n]) && at[n] != '_';
}

/* The next part of a name, behind a `::` (with WORDS, or a space) outside brackets; or NULL. */
static const char *next_part(const char *at, bool words)
{
	int depth = 0;
	if (is_operator(at))
		return NULL;
	for (; *at; at++) {
		if (at[0] == '-' && at[1] == '>')
			at++;
		else if (strchr("<([{", *at))
			depth++;
		else if (strchr(">)]}", *at))
			depth--;
		else if (!depth && at[0] == ':' && at[1] == ':')
			return at[2] ? at + 2 : NULL;
		else if (!depth && words && *at == ' ' && at[1])
			return at + 1;
	}
	return NULL;
}

/* The forms of NAME; with DEMANGLED, it may begin with a type. */
static bool forms_of(const char *name, bool demangled, bool (*each)(const char *, void *),
		     void *context)
{
	char *bare = name_without_parameters(name);
	char *plain = memory_text(bare, length_without_arguments(bare));
	const char *wholes[] = {name, bare, plain};
	bool found = false;
	for (int i = 0; !found && i < 3; i++) {
		const char *form = wholes[i];
		if (i && !strcmp(form, wholes[i - 1]))
			continue;
		for (; !found && form; form = next_part(form, demangled))
			found = each(form, context);
	}
	free(bare);
	free(plain);
	return found;
}

bool name_forms(const char *name, const char *linkage,
		bool (*each)(const char *form, void *context), void *context)
{
	bool demangled = *linkage && strcmp(name, linkage) != 0;
	if (forms_of(name, demangled, each, context))
		return true;
	if (!demangled)
		return false;
	struct str plain = {0};
	plain_name(&plain, name);
	const char *shown = plain_name_behind_type(str_text(&plain));
	bool found = strcmp(shown, name) && forms_of(shown, true, each, context);
	str_free(&plain);
	return found;
}

struct near_name_of {
	struct near *near;
	const char *shown;
};

static bool try_form(const char *form, void *context)
{
	struct near_name_of *n = context;
	near_try(n->near, form, n->shown);
	return false;
}

void name_forms_near(struct near *near, const char *name, const char *linkage)
{
	char *bare = name_without_parameters(name);
	name_forms(name, linkage, try_form, &(struct near_name_of){near, bare});
	free(bare);
}
