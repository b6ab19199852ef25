/* SPDX-License-Identifier: MIT */
/*
 * expression.c - see expression.h. Counts the parts that regcomp() would make of an expression. The
 * count of an invalid expression does not matter: regcomp() refuses it.
 */
#include "report/core/pattern/expression.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(x)  #x
#define VALUE(x) TEXT(x)

struct counting {
	size_t parts[EXPRESSION_PARTS + 1]; /* parts so far, at each depth of parentheses */
	size_t depth;
	size_t last; /* parts of the last item, which a repetition would multiply */
};

static bool add(struct counting *c, size_t parts)
{
	c->last = parts;
	c->parts[c->depth] += parts;
	return c->parts[c->depth] <= EXPRESSION_PARTS;
}

static bool repeat(struct counting *c, size_t copies)
{
	if (copies > EXPRESSION_PARTS)
		return false;
	c->parts[c->depth] += c->last * (copies - 1);
	c->last *= copies;
	return c->parts[c->depth] <= EXPRESSION_PARTS;
}

/* A parenthesis counts as a part, so that the depth is bounded too. */
static bool open_group(struct counting *c)
{
	if (!add(c, 1) || c->depth == EXPRESSION_PARTS)
		return false;
	c->parts[++c->depth] = 0;
	c->last = 0;
	return true;
}

static bool close_group(struct counting *c)
{
	if (!c->depth)
		return add(c, 1);
	size_t inside = c->parts[c->depth--];
	bool ok = add(c, inside);
	c->last = inside + 1; /* 1 for the parenthesis */
	return ok;
}

/* The end of `[...]`, which may begin with `]` and may hold classes such as `[:alpha:]`. */
static const char *behind_set(const char *at)
{
	at += at[1] == '^' ? 2 : 1;
	at += *at == ']';
	while (*at && *at != ']') {
		char kind = at[1];
		bool class = *at == '[' && kind && strchr(":.=", kind);
		const char *end = class ? at + 2 : at;
		while (class && *end && !(end[0] == kind && end[1] == ']'))
			end++;
		at = class && *end ? end + 2 : at + 1;
	}
	return *at ? at + 1 : at;
}

/* How many copies `{3}`, `{3,}` or `{3,7}` at AT makes, and where it ends; 0: no repetition. */
static size_t copies_of(const char *at, const char **end)
{
	char *behind;
	size_t low = strtoul(at + 1, &behind, 10), high = low;
	if (*behind == ',') {
		const char *second = behind + 1;
		high = strtoul(second, &behind, 10);
		if (behind == second)
			high = low + 1;
	}
	if (*behind != '}' || behind == at + 1)
		return 0;
	*end = behind + 1;
	return high > 1 ? high : 1;
}

/* Counts the item at *AT, and moves *AT past it. */
static bool count(struct counting *c, const char **at)
{
	const char *here = *at, *end = here + 1;
	size_t copies = 0;
	bool ok;
	switch (*here) {
	case '[':
		end = behind_set(here);
		ok = add(c, 1);
		break;
	case '(':
		ok = open_group(c);
		break;
	case ')':
		ok = close_group(c);
		break;
	case '*':
	case '?':
		ok = true;
		break;
	case '+':
		ok = repeat(c, 2);
		break;
	case '{':
		copies = copies_of(here, &end);
		ok = copies ? repeat(c, copies) : add(c, 1);
		break;
	default:
		end += *here == '\\' && here[1];
		ok = add(c, 1);
	}
	*at = end;
	return ok;
}

const char *expression_refused(const char *expression)
{
	struct counting c = {.depth = 0};
	for (const char *at = expression; *at;) {
		if (at[0] == '\\' && at[1] >= '1' && at[1] <= '9')
			return "back-references such as \\1 are not supported";
		if (!count(&c, &at))
			return "it is too large: with its repetitions written out it has more "
			       "than " VALUE(EXPRESSION_PARTS) " parts";
	}
	return NULL;
}
