/* SPDX-License-Identifier: MIT */
/* profile_since.c - see profile_since.h. */
#include "report/core/read/profile_since.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/lookup.h"
#include "report/core/base/memory.h"
#include "report/core/read/record_kinds.h"

bool profile_since_check(const struct profile *p, const struct profile *base, struct str *err)
{
	const struct zprof_header *a = &p->header, *b = &base->header;
	bool same = a->pid == b->pid && a->start_realtime_ns == b->start_realtime_ns &&
		    a->start_ns == b->start_ns && !memcmp(a->run_id, b->run_id, sizeof a->run_id);
	return same ||
	       str_fail(err, "'%s' is not an earlier copy of '%s': it is of another process",
			base->path, p->path);
}

/* For each node of BASE, its index in P; PROFILE_NO_NODE if it is not there. free() it. */
static uint32_t *match_nodes(const struct profile *p, const struct profile *base)
{
	uint32_t *to = memory_resize(NULL, base->node_count, sizeof *to);
	size_t k = 0;
	memset(to, 0xff, base->node_count * sizeof *to);
	for (size_t i = 0; i < base->range_count; i++) {
		const struct profile_range *b = &base->ranges[i];
		while (k < p->range_count && p->ranges[k].first < b->first)
			k++;
		if (k == p->range_count || p->ranges[k].first != b->first)
			continue;
		for (uint32_t n = 0; n < b->count && n < p->ranges[k].count; n++)
			to[b->index + n] = (uint32_t)(p->ranges[k].index + n);
	}
	return to;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

void profile_since_nodes(struct profile *p, const struct profile *base, const struct record_kind *k,
			 const uint32_t *to)
{
	(void)k;
	for (size_t i = 0; i < base->node_count; i++) {
		if (to[i] == PROFILE_NO_NODE)
			continue;
		struct zprof_node *n = &p->nodes[to[i]];
		n->calls = less(n->calls, base->nodes[i].calls);
		n->self_ticks -= base->nodes[i].self_ticks;
	}
}

void profile_since_none(struct profile *p, const struct profile *base, const struct record_kind *k,
			const uint32_t *to)
{
	(void)base, (void)to;
	record_kind_set(p, k, 0);
}

static uint64_t number_at(const char *at, size_t bytes)
{
	return bytes == sizeof(uint32_t) ? *(const uint32_t *)at : *(const uint64_t *)at;
}

/* Adds FROM's numbers to TO's, or subtracts them. */
static void add_sums(const struct record_kind *k, char *to, const char *from, bool take_off)
{
	for (const struct record_members *s = k->sums; s < k->sums + RECORD_SUMS; s++)
		for (size_t i = 0, at = s->first; i < s->count; i++, at += s->bytes_each) {
			uint64_t a = number_at(to + at, s->bytes_each);
			uint64_t b = number_at(from + at, s->bytes_each);
			a = !take_off ? a + b : s->is_signed ? a - b : less(a, b);
			if (s->bytes_each == sizeof(uint32_t))
				*(uint32_t *)(to + at) = (uint32_t)a;
			else
				*(uint64_t *)(to + at) = a;
		}
}

/* Records of P, to be found by node and keys. */
struct known {
	const struct record_kind *kind;
	char *list;
	uint32_t *by_node; /* index + 1; NULL: the kind has keys */
	struct lookup by_keys;
};

struct wanted {
	const char *record;
	uint32_t node; /* its index in P */
};

static uint32_t node_of(const struct record_kind *k, const char *record)
{
	return k->of_node ? *(const uint32_t *)(record + k->node) : 0;
}

static bool same_keys(const void *context, uint32_t item, const void *key)
{
	const struct known *known = context;
	const struct wanted *w = key;
	const struct record_kind *k = known->kind;
	const char *record = known->list + item * k->bytes;
	bool same = node_of(k, record) == w->node;
	for (const struct record_members *m = k->keys; same && m < k->keys + RECORD_KEYS; m++)
		same = !memcmp(record + m->first, w->record + m->first, m->bytes_each * m->count);
	return same;
}

static uint64_t hash_of(const struct record_kind *k, const struct wanted *w)
{
	uint64_t hash = lookup_hash(w->node, 0);
	for (const struct record_members *m = k->keys; m < k->keys + RECORD_KEYS; m++)
		for (size_t i = 0; i < m->count; i++)
			hash = lookup_hash(hash, number_at(w->record + m->first + i * m->bytes_each,
							   m->bytes_each));
	return hash;
}

static uint32_t find(const struct known *known, const struct wanted *w)
{
	_Static_assert(LOOKUP_NONE == 0u - 1, "by_node has 0 for none");
	return known->by_node
		   ? known->by_node[w->node] - 1
		   : lookup_find(&known->by_keys, hash_of(known->kind, w), same_keys, known, w);
}

static void note(struct known *known, const struct wanted *w, uint32_t item)
{
	if (known->by_node)
		known->by_node[w->node] = item + 1;
	else
		lookup_add(&known->by_keys, hash_of(known->kind, w), item);
}

/* Notes where P's records are. If several may be of one node and keys, they are added up. */
static void note_records(struct known *known, struct profile *p)
{
	const struct record_kind *k = known->kind;
	size_t kept = 0, count = record_kind_records(p, k);
	for (size_t i = 0; i < count; i++) {
		char *record = known->list + i * k->bytes;
		struct wanted w = {record, node_of(k, record)};
		uint32_t same = find(known, &w);
		if (same != LOOKUP_NONE && k->adds_up) {
			add_sums(k, known->list + same * k->bytes, record, false);
			continue;
		}
		if (same == LOOKUP_NONE)
			note(known, &w, (uint32_t)kept);
		memmove(known->list + kept++ * k->bytes, record, k->bytes);
	}
	record_kind_set(p, k, kept);
}

static void take_off_sums(struct profile *p, const struct profile *base,
			  const struct record_kind *k, const uint32_t *to)
{
	struct known known = {.kind = k, .list = record_kind_list(p, k)};
	const char *list = record_kind_list(base, k);
	if (!k->keys->count)
		known.by_node = memory_zeroed(p->node_count, sizeof *known.by_node);
	note_records(&known, p);
	for (size_t i = 0; i < record_kind_records(base, k); i++) {
		const char *record = list + i * k->bytes;
		struct wanted w = {record, k->of_node ? to[node_of(k, record)] : 0};
		uint32_t same = w.node == PROFILE_NO_NODE ? LOOKUP_NONE : find(&known, &w);
		if (same != LOOKUP_NONE)
			add_sums(k, known.list + same * k->bytes, record, true);
	}
	free(known.by_node);
	lookup_free(&known.by_keys);
}

void profile_since(struct profile *p, const struct profile *base)
{
	uint32_t *to = match_nodes(p, base);
	for (const struct record_kind *k = record_kinds; k < record_kinds + record_kind_count;
	     k++) {
		if (k->since)
			k->since(p, base, k, to);
		else if (k->sums->count)
			take_off_sums(p, base, k, to);
	}
	for (int i = 0; i < ZPROF_COUNTERS_MAX; i++)
		p->header.counters[i] = less(p->header.counters[i], base->header.counters[i]);
	p->header.native_samples = 0;
	free(to);
}

#define BASE ".base"

char *profile_since_base(const char *path)
{
	struct str base = {0};
	str_add(&base, "%s" BASE, path);
	return base.text;
}

size_t profile_since_is_base(const char *path)
{
	size_t n = strlen(path), end = strlen(BASE);
	return n > end && !strcmp(path + n - end, BASE) ? n - end : 0;
}

/* The clock's rate stays: a short time could not tell it. */
static void begin_later(struct profile *p, const struct profile *base)
{
	struct zprof_header *h = &p->header;
	double ns_per_tick = profile_ns_per_tick(h);
	uint64_t ns = less(base->header.now_ns, h->start_ns), ticks = 0;
	for (size_t i = 0; i < base->thread_count && h->mode == ZPROF_MODE_EXACT; i++) {
		uint64_t last = less(base->threads[i].last_ticks, h->start_ticks);
		ticks = last > ticks ? last : ticks;
	}
	if (ticks && (double)ticks * ns_per_tick > (double)ns)
		ns = (uint64_t)((double)ticks * ns_per_tick);
	h->ticks_hz = (uint64_t)(1e9 / ns_per_tick + 0.5);
	h->start_ns += ns;
	h->start_realtime_ns += ns;
	h->start_ticks += (uint64_t)((double)ns / ns_per_tick);
	h->now_ticks = h->start_ticks;
}

static void add_note(struct profile *p, const char *base)
{
	struct str text = {0};
	str_add(&text, "only what came after '%s'; its lines and statements are not known", base);
	p->notes = memory_room(p->notes, p->note_count, &p->note_room, sizeof *p->notes);
	p->notes[p->note_count++] = text.text;
}

bool profile_since_file(struct profile *p, const char *base, bool anyone, struct str *err)
{
	struct profile from;
	bool reset = !strcmp(base, "reset");
	char *path = reset ? profile_since_base(p->path) : memory_text(base, strlen(base));
	bool ok = !reset || !access(path, F_OK) ||
		  str_fail(err, "'%s' was not reset: there is no '%s'", p->path, path);
	ok = ok && profile_load(&from, path, anyone, err);
	if (ok) {
		ok = profile_since_check(p, &from, err);
		if (ok) {
			begin_later(p, &from);
			profile_since(p, &from);
			add_note(p, path);
		}
		profile_free(&from);
	}
	free(path);
	return ok;
}
