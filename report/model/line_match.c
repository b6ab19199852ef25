/* SPDX-License-Identifier: MIT */
/*
 * line_match.c - see line_match.h. Lines are compared by 64-bit hashes of what is not white space.
 */
#include "report/model/line_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/lookup.h"
#include "report/base/memory.h"
#include "report/base/str.h"

#define CELLS_MOST  ((size_t)4 << 20) /* of the table for stretches without a unique line */
#define EDITED_MOST ((size_t)64)      /* lines gone or new in one place, to look for edits in */
#define ALIKE       60                /* how many % of an edited line must be unchanged */
#define DEEPEST     1000 /* stretches within stretches: only contrived texts have more */

struct matching {
	const char *const *before_lines, *const *after_lines;
	uint64_t *before, *after; /* hashes */
	uint32_t *to;
};

/* Lines [b, b_end) of before and [a, a_end) of after. */
struct stretch {
	size_t b, b_end, a, a_end;
};

static uint64_t *hash_all(const char *const *lines, size_t count)
{
	uint64_t *hashes = memory_zeroed(count, sizeof *hashes);
	struct str bare = {0};
	for (size_t i = 0; i < count; i++) {
		str_clear(&bare);
		for (const char *at = lines[i]; *at;) {
			size_t bytes = strcspn(at, " \t\r\f\v");
			str_add_bytes(&bare, at, bytes);
			at += bytes + strspn(at + bytes, " \t\r\f\v");
		}
		hashes[i] = lookup_hash_text(str_text(&bare), 1);
	}
	str_free(&bare);
	return hashes;
}

/* ---- lines that occur once */

struct once {
	uint64_t hash;
	size_t line;
};

struct anchor {
	size_t before, after;
	size_t previous; /* index + 1 of the one before in the longest rising row; 0: none */
};

static int by_hash(const void *left, const void *right)
{
	const struct once *a = left, *b = right;
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static int by_before(const void *left, const void *right)
{
	const struct anchor *a = left, *b = right;
	return (a->before > b->before) - (a->before < b->before);
}

static struct once *sorted(const uint64_t *hashes, size_t first, size_t end)
{
	struct once *list = memory_zeroed(end - first, sizeof *list);
	for (size_t i = first; i < end; i++)
		list[i - first] = (struct once){hashes[i], i};
	qsort(list, end - first, sizeof *list, by_hash);
	return list;
}

static bool is_alone(const struct once *list, size_t count, size_t i)
{
	return (!i || list[i - 1].hash != list[i].hash) &&
	       (i + 1 == count || list[i + 1].hash != list[i].hash);
}

static struct anchor *find_anchors(const struct matching *m, const struct stretch *s, size_t *count)
{
	size_t b_count = s->b_end - s->b, a_count = s->a_end - s->a, room = 0;
	struct once *b = sorted(m->before, s->b, s->b_end), *a = sorted(m->after, s->a, s->a_end);
	struct anchor *anchors = NULL;
	*count = 0;
	for (size_t i = 0, k = 0; i < b_count && k < a_count;) {
		if (b[i].hash != a[k].hash) {
			*(b[i].hash < a[k].hash ? &i : &k) += 1;
			continue;
		}
		if (is_alone(b, b_count, i) && is_alone(a, a_count, k)) {
			anchors = memory_room(anchors, *count, &room, sizeof *anchors);
			anchors[(*count)++] = (struct anchor){b[i].line, a[k].line, 0};
		}
		i++; /* another line with this hash would not be alone either */
	}
	if (*count)
		qsort(anchors, *count, sizeof *anchors, by_before);
	free(a);
	free(b);
	return anchors;
}

/* Of anchors in the order of `before`, keeps the longest row in which the lines of `after` rise,
 * too. */
static size_t keep_rising(struct anchor *list, size_t count)
{
	size_t *ends = memory_zeroed(count, sizeof *ends), length = 0, kept = 0;
	for (size_t i = 0; i < count; i++) {
		size_t low = 0, high = length;
		while (low < high) {
			size_t middle = (low + high) / 2;
			if (list[ends[middle]].after < list[i].after)
				low = middle + 1;
			else
				high = middle;
		}
		list[i].previous = low ? ends[low - 1] + 1 : 0;
		ends[low] = i;
		length += low == length;
	}
	bool *keep = memory_zeroed(count, sizeof *keep);
	for (size_t at = ends[length - 1] + 1; at; at = list[at - 1].previous)
		keep[at - 1] = true;
	for (size_t i = 0; i < count; i++)
		if (keep[i])
			list[kept++] = list[i];
	free(keep);
	free(ends);
	return kept;
}

/* ---- the longest common row of stretches without such a line */

static void match_rest(struct matching *m, const struct stretch *s)
{
	size_t rows = s->b_end - s->b, columns = s->a_end - s->a, width = columns + 1;
	if (rows > CELLS_MOST / width)
		return;
	uint32_t *best = memory_zeroed((rows + 1) * width, sizeof *best);
	for (size_t i = rows; i-- > 0;)
		for (size_t k = columns; k-- > 0;) {
			uint32_t down = best[(i + 1) * width + k], right = best[i * width + k + 1];
			bool same = m->before[s->b + i] == m->after[s->a + k];
			best[i * width + k] = same           ? best[(i + 1) * width + k + 1] + 1
					      : down > right ? down
							     : right;
		}
	for (size_t i = 0, k = 0; i < rows && k < columns;)
		if (m->before[s->b + i] == m->after[s->a + k])
			m->to[s->b + i++] = (uint32_t)(s->a + k++);
		else if (best[(i + 1) * width + k] >= best[i * width + k + 1])
			i++;
		else
			k++;
	free(best);
}

static void match_equal(struct matching *m, struct stretch s, int depth)
{
	while (s.b < s.b_end && s.a < s.a_end && m->before[s.b] == m->after[s.a])
		m->to[s.b++] = (uint32_t)s.a++;
	while (s.b < s.b_end && s.a < s.a_end && m->before[s.b_end - 1] == m->after[s.a_end - 1])
		m->to[--s.b_end] = (uint32_t)--s.a_end;
	if (s.b == s.b_end || s.a == s.a_end || depth > DEEPEST)
		return;
	size_t count;
	struct anchor *anchors = find_anchors(m, &s, &count);
	if (count)
		count = keep_rising(anchors, count);
	else
		match_rest(m, &s);
	struct stretch between = {s.b, s.b, s.a, s.a};
	for (size_t i = 0; anchors && i < count; i++) {
		between.b_end = anchors[i].before;
		between.a_end = anchors[i].after;
		match_equal(m, between, depth + 1);
		m->to[anchors[i].before] = (uint32_t)anchors[i].after;
		between = (struct stretch){anchors[i].before + 1, 0, anchors[i].after + 1, 0};
	}
	between.b_end = s.b_end;
	between.a_end = s.a_end;
	if (count)
		match_equal(m, between, depth + 1);
	free(anchors);
}

/* ---- edited lines */

/*
 * How much of two lines is the same at their beginnings and ends, in hundredths of the longer one.
 */
static uint32_t likeness(const char *a, const char *b)
{
	a += strspn(a, " \t");
	b += strspn(b, " \t");
	size_t a_bytes = strlen(a), b_bytes = strlen(b), first = 0, last = 0;
	size_t less = a_bytes < b_bytes ? a_bytes : b_bytes, more = a_bytes + b_bytes - less;
	while (first < less && a[first] == b[first])
		first++;
	while (last < less - first && a[a_bytes - 1 - last] == b[b_bytes - 1 - last])
		last++;
	return more ? (uint32_t)((first + last) * 100 / more) : 0;
}

/*
 * Pairs lines that are gone with new ones that are like them, without crossing, so that the sum of
 * likenesses is largest.
 */
static void match_alike(struct matching *m, const struct stretch *s)
{
	size_t rows = s->b_end - s->b, columns = s->a_end - s->a, width = columns + 1;
	if (rows > EDITED_MOST || columns > EDITED_MOST)
		return;
	uint32_t *best = memory_zeroed((rows + 1) * width, sizeof *best);
	uint32_t *like = memory_zeroed((rows + 1) * width, sizeof *like);
	for (size_t i = rows; i-- > 0;)
		for (size_t k = columns; k-- > 0;) {
			uint32_t down = best[(i + 1) * width + k], right = best[i * width + k + 1];
			uint32_t alike =
			    likeness(m->before_lines[s->b + i], m->after_lines[s->a + k]);
			uint32_t *cell = &best[i * width + k];
			*cell = down > right ? down : right;
			if (alike < ALIKE || alike + best[(i + 1) * width + k + 1] < *cell)
				continue;
			*cell = alike + best[(i + 1) * width + k + 1];
			like[i * width + k] = alike;
		}
	for (size_t i = 0, k = 0; i < rows && k < columns;)
		if (like[i * width + k])
			m->to[s->b + i++] = (uint32_t)(s->a + k++);
		else if (best[(i + 1) * width + k] >= best[i * width + k + 1])
			i++;
		else
			k++;
	free(like);
	free(best);
}

/* Gives each stretch of lines that are gone, with the new ones in its place, to PAIR. */
static void each_gap(struct matching *m, size_t before_count, size_t after_count,
		     void (*pair)(struct matching *m, const struct stretch *s))
{
	for (size_t b = 0, a = 0; b < before_count;) {
		size_t end = b;
		while (end < before_count && m->to[end] == LINE_GONE)
			end++;
		size_t stop = end < before_count ? m->to[end] : after_count;
		if (b < end && a < stop)
			pair(m, &(struct stretch){b, end, a, stop});
		b = end + 1;
		a = stop + 1;
	}
}

static void match_in_order(struct matching *m, const struct stretch *s)
{
	if (s->b_end - s->b == s->a_end - s->a)
		for (size_t i = 0; s->b + i < s->b_end; i++)
			m->to[s->b + i] = (uint32_t)(s->a + i);
}

uint32_t *line_match(const char *const *before, size_t before_count, const char *const *after,
		     size_t after_count)
{
	struct matching m = {before, after, hash_all(before, before_count),
			     hash_all(after, after_count),
			     memory_resize(NULL, before_count, sizeof *m.to)};
	for (size_t i = 0; i < before_count; i++)
		m.to[i] = LINE_GONE;
	match_equal(&m, (struct stretch){0, before_count, 0, after_count}, 0);
	each_gap(&m, before_count, after_count, match_alike);
	each_gap(&m, before_count, after_count, match_in_order);
	free(m.before);
	free(m.after);
	return m.to;
}
