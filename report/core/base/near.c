/* SPDX-License-Identifier: MIT */
/* near.c - see near.h. */
#include "report/core/base/near.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

#define LONGEST 64 /* longer names are not compared letter by letter */

static char *lower_case(const char *text, size_t n)
{
	char *lower = memory_text(text, n);
	for (char *at = lower; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return lower;
}

void near_init(struct near *n, const char *word)
{
	word += strspn(word, "*");
	size_t length = strlen(word);
	while (length && word[length - 1] == '*')
		length--;
	*n = (struct near){.word = lower_case(word, length), .length = length};
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * The optimal string alignment distance: how many letters must be changed, added, removed, or
 * swapped with their neighbour. Its table has a row per letter of A; only the last three are kept.
 */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
	for (size_t k = 0; k <= m; k++)
		last[k] = k;
	for (size_t i = 1; i <= n; i++) {
		row[0] = i;
		for (size_t k = 1; k <= m; k++) {
			size_t changed = last[k - 1] + (a[i - 1] != b[k - 1]);
			row[k] = least(changed, least(last[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				row[k] = least(row[k], before[k - 2] + 1);
		}
		size_t *free_row = before;
		before = last;
		last = row;
		row = free_row;
	}
	return last[m];
}

/* NAME's distance from the word; SIZE_MAX: not alike. A name that contains the word is alike. */
static size_t unlikeness(const struct near *n, const char *name)
{
	size_t length = strlen(name), most = n->length < 3 ? 1 : n->length / 3;
	char *lower = lower_case(name, length);
	size_t d = SIZE_MAX;
	if (n->length <= LONGEST && length <= LONGEST && length <= n->length + most &&
	    n->length <= length + most)
		d = distance(n->word, n->length, lower, length);
	if (d > most)
		d = n->length > 2 && strstr(lower, n->word) ? LONGEST + length : SIZE_MAX;
	free(lower);
	return d;
}

static void drop(struct near *n, size_t at)
{
	free(n->best[at].text);
	n->count--;
	memmove(&n->best[at], &n->best[at + 1], (n->count - at) * sizeof *n->best);
}

void near_try(struct near *n, const char *name, const char *shown)
{
	size_t d = unlikeness(n, name), at = n->count;
	if (d == SIZE_MAX)
		return;
	for (size_t i = 0; i < n->count; i++)
		if (!strcmp(n->best[i].text, shown)) {
			if (n->best[i].distance <= d)
				return;
			drop(n, i);
			break;
		}
	for (at = n->count; at && n->best[at - 1].distance > d; at--)
		continue;
	if (at == NEAR_NAMES)
		return;
	if (n->count == NEAR_NAMES)
		drop(n, NEAR_NAMES - 1);
	memmove(&n->best[at + 1], &n->best[at], (n->count - at) * sizeof *n->best);
	n->best[at] = (struct near_name){memory_text(shown, strlen(shown)), d};
	n->count++;
}

void near_add(struct near *n, struct str *to)
{
	for (size_t i = 0; i < n->count; i++) {
		const char *between = i + 1 == n->count ? " or " : ", ";
		str_add(to, "%s'%s'", i ? between : " (did you mean ", n->best[i].text);
		free(n->best[i].text);
	}
	if (n->count)
		str_add(to, "?)");
	free(n->word);
	*n = (struct near){0};
}
