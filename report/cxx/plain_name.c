/* SPDX-License-Identifier: MIT */
/* plain_name.c - see plain_name.h. */
#include "report/cxx/plain_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/cxx/brackets.h"
#include "report/cxx/known_names.h"

static bool begins(const char *at, const char *end, const char *with)
{
	size_t n = strlen(with);
	return (size_t)(end - at) >= n && !memcmp(at, with, n);
}

/* A text that is being written. */
struct writing {
	struct str *to;
	const char *name, *end; /* all of what is read */
};

static void write_part(struct writing *w, const char *at, const char *end);

/* The arguments of a template, as they were written. */
struct arguments {
	struct str *list;
	size_t count, room;
};

static void add_argument(struct writing *w, struct arguments *a, const char *at, const char *end)
{
	struct str text = {0};
	struct writing inner = {&text, w->name, w->end};
	while (at < end && *at == ' ')
		at++;
	while (end > at && end[-1] == ' ')
		end--;
	write_part(&inner, at, end);
	a->list = memory_room(a->list, a->count, &a->room, sizeof *a->list);
	a->list[a->count++] = text;
}

/* Reads the arguments in [AT, END). */
static void read_arguments(struct writing *w, struct arguments *a, const char *at, const char *end)
{
	const char *from = at;
	while (at < end) {
		size_t skip = brackets_operator(w->name, at);
		const char *close =
		    !skip && strchr("<([{", *at) ? brackets_close(w->name, at, end) : NULL;
		if (*at == ',') {
			add_argument(w, a, from, at);
			from = at + 1;
		}
		at = skip ? at + skip : close ? close + 1 : at + 1;
	}
	if (from < end)
		add_argument(w, a, from, end);
}

/* Whether TEXT is FRONT, the first of the arguments OF, and `>`. */
static bool is_of(const char *text, const char *front, const char *of)
{
	size_t n = strlen(front), length = strlen(of);
	return !strncmp(text, front, n) && !strncmp(text + n, of, length) &&
	       !strcmp(text + n + length, ">");
}

/* Whether the last argument is the one that the library takes if none is given. */
static bool last_is_default(const struct arguments *a)
{
	static const char *const defaults[] = {"std::less<",           "std::hash<",
					       "std::equal_to<",       "std::char_traits<",
					       "std::default_delete<", "std::allocator<"};
	const char *last = str_text(&a->list[a->count - 1]), *first = str_text(&a->list[0]);
	static const char allocator[] = "std::allocator<";
	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
		if (is_of(last, defaults[i], first))
			return true;
	/* A map's allocator is of pairs of its first two arguments. */
	if (a->count < 3 || strncmp(last, allocator, sizeof allocator - 1))
		return !strcmp(last, "std::less<void>");
	struct str pair = {0};
	str_add(&pair, "std::allocator<std::pair<%s const, %s>>", first, str_text(&a->list[1]));
	bool same = !strcmp(pair.text, last);
	str_free(&pair);
	return same;
}

static void write_arguments(struct writing *w, const char *at, const char *end)
{
	struct arguments a = {0};
	size_t all;
	read_arguments(w, &a, at, end);
	all = a.count;
	while (a.count > 1 && last_is_default(&a))
		a.count--;
	str_add(w->to, "<");
	for (size_t i = 0; i < a.count; i++)
		str_add(w->to, "%s%s", i ? ", " : "", str_text(&a.list[i]));
	str_add(w->to, ">");
	for (size_t i = 0; i < all; i++)
		str_free(&a.list[i]);
	free(a.list);
}

/* The last part of a qualified name. */
static const char *last_part(const char *name)
{
	const char *colon = strrchr(name, ':');
	return colon ? colon + 1 : name;
}

/* Replaces what TO has from offset BEGIN on by its alias, which is returned; NULL: it has none. */
static const char *take_alias(struct str *to, size_t begin)
{
	const char *alias = known_alias(str_text(to) + begin);
	if (!alias)
		return NULL;
	to->used = begin;
	str_add(to, "%s", alias);
	return alias;
}

/* The bytes of a number's suffix at AT, as in `2ul`. */
static size_t suffix(const char *at, const char *end)
{
	size_t n = 0;
	while (at + n < end && (at[n] == 'u' || at[n] == 'l'))
		n++;
	return at + n == end || !brackets_is_word(at[n]) ? n : 0;
}

/* Where a qualified name is being written. */
struct spot {
	size_t begin;      /* of the qualified name, in what was written */
	const char *alias; /* of the class written last; NULL: it has none */
	const char *word;  /* the identifier read last */
	size_t word_bytes;
};

/* Writes the brackets in [AT, CLOSE] and what is in them. */
static void write_brackets(struct writing *w, struct spot *s, const char *at, const char *close)
{
	if (*at == '<') {
		write_arguments(w, at + 1, close);
		s->alias = take_alias(w->to, s->begin);
		return;
	}
	str_add_bytes(w->to, at, 1);
	write_part(w, at + 1, close);
	str_add_bytes(w->to, close, 1);
}

/* Writes an identifier. Constructors and destructors have the name of their class's alias. */
static const char *write_word(struct writing *w, struct spot *s, const char *at, size_t bytes,
			      const char *end)
{
	bool again = s->alias && bytes == s->word_bytes && !memcmp(s->word, at, bytes);
	if (begins(at + bytes, end, "::") && w->to->used > s->begin && known_inline(at, bytes))
		return at + bytes + 2;
	if (again) {
		str_add(w->to, "%s", last_part(s->alias));
		return at + bytes;
	}
	str_add_bytes(w->to, at, bytes);
	*s = (struct spot){s->begin, NULL, at, bytes};
	return at + bytes;
}

static const char *write_number(struct writing *w, const char *at, const char *end)
{
	while (at < end && isdigit((unsigned char)*at))
		str_add_bytes(w->to, at++, 1);
	return at + suffix(at, end);
}

/* Writes what is neither identifier nor bracket. A qualified name ends there, but for colons. */
static const char *write_sign(struct writing *w, struct spot *s, const char *at)
{
	str_add_bytes(w->to, at, 1);
	if (*at != ':' && *at != '~')
		*s = (struct spot){.begin = w->to->used};
	return at + 1;
}

/* The length of what is written as it is: `(anonymous namespace)`, `operator<`, and the space in
 * `operator< <int>`. */
static size_t kept(const struct writing *w, const char *at)
{
	size_t n = brackets_operator(w->name, at);
	return n && at[n] == ' ' && at[n + 1] == '<' ? n + 1 : n ? n : brackets_anonymous(at);
}

/* Writes what stands in [AT, END), where no bracket is closed that was not opened. */
static void write_part(struct writing *w, const char *at, const char *end)
{
	struct spot s = {.begin = w->to->used};
	while (at < end) {
		size_t n = kept(w, at), bytes = 0;
		const char *close =
		    !n && *at && strchr("<({[", *at) ? brackets_close(w->name, at, end) : NULL;
		while (at + bytes < end && brackets_is_word(at[bytes]))
			bytes++;
		if (n) {
			str_add_bytes(w->to, at, n);
			at += n;
		} else if (close && begins(at, end, "[abi:")) {
			at = close + 1;
		} else if (close && *at != '[') {
			write_brackets(w, &s, at, close);
			at = close + 1;
		} else if (isdigit((unsigned char)*at)) {
			at = write_number(w, at, end);
		} else if (bytes) {
			at = write_word(w, &s, at, bytes, end);
		} else {
			at = write_sign(w, &s, at);
		}
	}
}

void plain_name(struct str *text, const char *name)
{
	struct writing w = {text, name, name + strlen(name)};
	str_clear(text);
	write_part(&w, name, w.end);
}

static const char *behind_qualifiers(const char *at)
{
	static const char *const words[] = {" const", " volatile", " &&", " &", " noexcept"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strncmp(at, words[i], strlen(words[i])))
			return behind_qualifiers(at + strlen(words[i]));
	return at;
}

/* Whether REST may follow a function's name: a level of recursion, a clone, a view's remark. */
static bool ends_function(const char *rest)
{
	return !*rest || *rest == '\'' || *rest == '.' || !strncmp(rest, " [", 2) ||
	       !strncmp(rest, " (", 2);
}

const char *plain_name_behind_type(const char *name)
{
	const char *begin = name, *end = name + strlen(name);
	if (strstr(name, " to ") || strstr(name, " for "))
		return name;
	for (const char *at = name; *at; at++) {
		size_t anonymous = brackets_anonymous(at);
		if (brackets_operator(name, at))
			return begin;
		if (anonymous) {
			at += anonymous - 1;
		} else if (strchr("<({", *at)) {
			const char *close = brackets_close(name, at, end);
			/* `char (&f(int)) [2]`: the name is within the type. */
			if (!close || !strncmp(at, "(&", 2) || !strncmp(at, "(*", 2))
				return name;
			const char *rest = behind_qualifiers(close + 1);
			if (*at == '(' && ends_function(rest))
				return begin;
			/* A local class or a lambda stands behind the parameters of its function. */
			at = *at == '(' && !strncmp(rest, "::", 2) ? rest : close;
		} else if (*at == ' ' && at[1] && (at[1] != '(' || brackets_anonymous(at + 1))) {
			begin = at + 1;
		}
	}
	return name;
}

void plain_name_within(struct str *text, const char *name)
{
	const char *end = name;
	while (brackets_is_word(*end))
		end++;
	size_t n = (size_t)(end - name);
	bool kept = !n || strncmp(end, "::", 2) || !strncmp(name, "std::", 5);
	str_clear(text);
	for (const char *at = name; *at;) {
		bool again = !kept && at > name && !strncmp(at, name, n + 2) && at[n + 2] != '{' &&
			     !brackets_is_word(at[-1]) && at[-1] != ':';
		if (again)
			at += n + 2;
		else
			str_add_bytes(text, at++, 1);
	}
}
