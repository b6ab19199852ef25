/* SPDX-License-Identifier: MIT */
/* profile_since.c - see profile_since.h. */
#include "report/core/read/profile_since.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/lookup.h"
#include "report/core/base/memory.h"

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

/* Adds FROM to TO, or subtracts it, but not below zero. */
static void add_samples(struct zprof_samples *to, const struct zprof_samples *from, bool take_off)
{
#define ADD(member)                                                                                \
	(to->member = take_off ? (to->member > from->member ? to->member - from->member : 0)       \
			       : to->member + from->member)
	ADD(hook_samples);
	ADD(user_samples);
	ADD(kernel_samples);
	ADD(user_ns);
	ADD(kernel_ns);
	ADD(hook_ns);
	ADD(waited_ns);
	ADD(preempted_ns);
	ADD(waits);
	ADD(preemptions);
#undef ADD
}

/* A node may have several records in either: they are added up first. */
static void take_off_samples(struct profile *p, const struct profile *base, const uint32_t *to)
{
	uint32_t *record = memory_zeroed(p->node_count, sizeof *record); /* index + 1 */
	size_t kept = 0;
	for (size_t i = 0; i < p->sample_count; i++) {
		struct zprof_samples s = p->samples[i];
		if (!record[s.node]) {
			p->samples[kept++] = s;
			record[s.node] = (uint32_t)kept;
		} else {
			add_samples(&p->samples[record[s.node] - 1], &s, false);
		}
	}
	p->sample_count = kept;
	for (size_t i = 0; i < base->sample_count; i++) {
		const struct zprof_samples *s = &base->samples[i];
		uint32_t node = to[s->node];
		if (node != PROFILE_NO_NODE && record[node])
			add_samples(&p->samples[record[node] - 1], s, true);
	}
	free(record);
}

struct waits_key {
	const struct zprof_wait *like;
	uint32_t node;
};

static bool same_wait(const void *context, uint32_t item, const void *key)
{
	const struct profile *p = context;
	const struct waits_key *k = key;
	const struct zprof_wait *w = &p->waits[item];
	return w->node == k->node && w->place == k->like->place && w->call == k->like->call &&
	       w->object == k->like->object && w->made_at == k->like->made_at;
}

/* Either profile has one record for each node, place and lock. */
static void take_off_waits(struct profile *p, const struct profile *base, const uint32_t *to)
{
	struct lookup by_key = {0};
	for (size_t i = 0; i < p->wait_count; i++)
		lookup_add(&by_key, lookup_hash(p->waits[i].place, p->waits[i].node), (uint32_t)i);
	for (size_t i = 0; i < base->wait_count; i++) {
		const struct zprof_wait *w = &base->waits[i];
		struct waits_key key = {w, to[w->node]};
		uint32_t item =
		    lookup_find(&by_key, lookup_hash(w->place, key.node), same_wait, p, &key);
		if (item == LOOKUP_NONE)
			continue;
		p->waits[item].waits = less(p->waits[item].waits, w->waits);
		p->waits[item].waited_ns = less(p->waits[item].waited_ns, w->waited_ns);
	}
	lookup_free(&by_key);
}

static void add_extra(struct zprof_extra *to, const struct zprof_extra *from, uint64_t sign)
{
	to->returned += sign * from->returned;
	to->abandoned += sign * from->abandoned;
	to->reentered += sign * from->reentered;
	for (int i = 0; i < ZPROF_EXTRA_COUNTERS; i++)
		to->counter[i] += sign * from->counter[i];
}

static void take_off_extras(struct profile *p, const struct profile *base, const uint32_t *to)
{
	uint32_t *record = memory_zeroed(p->node_count, sizeof *record);
	for (size_t i = 0; i < p->extra_count; i++)
		if (!record[p->extras[i].node])
			record[p->extras[i].node] = (uint32_t)i + 1;
	for (size_t i = 0; i < base->extra_count; i++) {
		uint32_t node = to[base->extras[i].node];
		if (node != PROFILE_NO_NODE && record[node])
			add_extra(&p->extras[record[node] - 1], &base->extras[i], (uint64_t)-1);
	}
	free(record);
}

static void take_off_threads(struct profile *p, const struct profile *base)
{
	for (size_t i = 0; i < p->thread_count; i++)
		for (size_t k = 0; k < base->thread_count; k++) {
			struct zprof_thread *t = &p->threads[i];
			const struct zprof_thread *b = &base->threads[k];
			if (t->id != b->id)
				continue;
			t->sampled_ns = less(t->sampled_ns, b->sampled_ns);
			t->unseen_ns = less(t->unseen_ns, b->unseen_ns);
			t->looked_ns = less(t->looked_ns, b->looked_ns);
		}
}

void profile_since(struct profile *p, const struct profile *base)
{
	uint32_t *to = match_nodes(p, base);
	take_off_nodes(p, base, to);
	take_off_samples(p, base, to);
	take_off_waits(p, base, to);
	take_off_extras(p, base, to);
	take_off_threads(p, base);
	for (int i = 0; i < ZPROF_COUNTERS_MAX; i++)
		p->header.counters[i] = less(p->header.counters[i], base->header.counters[i]);
	p->call_count = p->count_count = p->native_count = 0;
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
