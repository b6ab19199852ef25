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

static void take_off_nodes(struct profile *p, const struct profile *base, const uint32_t *to)
{
	for (size_t i = 0; i < base->node_count; i++) {
		if (to[i] == PROFILE_NO_NODE)
			continue;
		struct zprof_node *n = &p->nodes[to[i]];
		n->calls = less(n->calls, base->nodes[i].calls);
		n->self_ticks -= base->nodes[i].self_ticks;
	}
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

/* Records of P, to be found by node and key. */
struct known {
	const struct record_kind *kind;
	char *list;
	struct lookup lookup;
	uint32_t count;
};

struct wanted {
	const char *key;
	uint32_t node; /* its index in P */
};

static bool same_key(const void *context, uint32_t item, const void *wanted)
{
	const struct known *known = context;
	const struct wanted *w = wanted;
	const struct record_members *key = &known->kind->key;
	const char *record = known->list + item * known->kind->bytes;
	return record_node(known->kind, record) == w->node &&
	       !memcmp(record + key->first, w->key, key->bytes_each * key->count);
}

/* The record of P with the node and key; with ADD set, it is there from now on. NULL: none. */
static char *find(struct known *known, uint32_t node, const char *record, bool add)
{
	const struct record_members *key = &known->kind->key;
	struct wanted w = {record + key->first, node};
	uint64_t hash = lookup_hash(node, 0);
	for (size_t i = 0; i < key->count; i++)
		hash = lookup_hash(hash, number_at(w.key + i * key->bytes_each, key->bytes_each));
	uint32_t item = lookup_find(&known->lookup, hash, same_key, known, &w);
	if (item == LOOKUP_NONE && add)
		lookup_add(&known->lookup, hash, known->count);
	return item == LOOKUP_NONE ? NULL : known->list + item * known->kind->bytes;
}

/* Notes where a record of P is; false if it was added up with another. */
static bool note(void *context, const struct record_kind *k, void *record)
{
	struct known *known = context;
	char *same = find(known, record_node(k, record), record, true);
	if (same && k->adds_up)
		return add_sums(k, same, record, false), false;
	known->count++;
	return true;
}

static void take_off_sums(struct profile *p, const struct profile *base,
			  const struct record_kind *k, const uint32_t *to)
{
	struct known known = {.kind = k, .list = record_kind_list(p, k)};
	const char *list = record_kind_list(base, k);
	record_kind_filter(p, k, note, &known);
	for (size_t i = 0; i < record_kind_records(base, k); i++) {
		const char *record = list + i * k->bytes;
		uint32_t node = k->of_node ? to[record_node(k, record)] : 0;
		char *same = node == PROFILE_NO_NODE ? NULL : find(&known, node, record, false);
		if (same)
			add_sums(k, same, record, true);
	}
	lookup_free(&known.lookup);
}

void profile_since(struct profile *p, const struct profile *base)
{
	uint32_t *to = match_nodes(p, base);
	take_off_nodes(p, base, to);
	for (const struct record_kind *k = record_kinds; k < record_kinds + record_kind_count; k++)
		if (k->whole_only)
			record_kind_set(p, k, 0);
		else if (k->sums->count)
			take_off_sums(p, base, k, to);
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
			struct str text = {0};
			str_add(&text,
				"only what came after '%s'; its lines and statements are not known",
				path);
			profile_note(p, text.text);
		}
		profile_free(&from);
	}
	free(path);
	return ok;
}
