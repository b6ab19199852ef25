/* SPDX-License-Identifier: MIT */
/* record_kinds.c - see record_kinds.h. */
#include "report/core/read/record_kinds.h"

#include <math.h>
#include <string.h>

static double finite_or_zero(double number)
{
	return isfinite(number) ? number : 0;
}

static void mend_cost(void *one)
{
	struct zprof_cost *c = one;
	c->ns = finite_or_zero(c->ns);
	c->error_ns = finite_or_zero(c->error_ns);
	c->all_error_ns = finite_or_zero(c->all_error_ns);
	c->variance = finite_or_zero(c->variance);
	c->cpu_ns = finite_or_zero(c->cpu_ns);
	c->preempted_ns = finite_or_zero(c->preempted_ns);
	c->wait_ns = finite_or_zero(c->wait_ns);
}

static void mend_native(void *one)
{
	struct zprof_native *n = one;
	n->cpu_ns = finite_or_zero(n->cpu_ns);
	n->variance = finite_or_zero(n->variance);
}

/* Its name ends. */
static void mend_turns(void *one)
{
	struct zprof_turns *t = one;
	t->name[sizeof t->name - 1] = 0;
}

#define LIST(section, list, count)                                                                 \
	section, offsetof(struct profile, list), offsetof(struct profile, count),                  \
	    sizeof *((struct profile *)NULL)->list
#define NODE(type) offsetof(struct type, node)

const struct record_kind record_kinds[] = {
    {LIST(ZPROF_SECTION_EXTRAS, extras, extra_count), "a lent zone", NODE(zprof_extra), NULL,
     false},
    {LIST(ZPROF_SECTION_SAMPLES, samples, sample_count), "samples", NODE(zprof_samples), NULL,
     false},
    {LIST(ZPROF_SECTION_WAITS, waits, wait_count), "what was waited for", NODE(zprof_wait), NULL,
     false},
    {LIST(ZPROF_SECTION_CALLS, calls, call_count), "calls by place", NODE(zprof_call), NULL, false},
    {LIST(ZPROF_SECTION_COSTS, costs, cost_count), "times", NODE(zprof_cost), mend_cost, false},
    {LIST(ZPROF_SECTION_NATIVE, natives, native_count), "a second run", NODE(zprof_native),
     mend_native, false},
    {LIST(ZPROF_SECTION_TURNS, turns, turns_count), NULL, 0, mend_turns, false},
    {LIST(ZPROF_SECTION_MEMBERS, members, member_count), NULL, 0, NULL, true},
    {LIST(ZPROF_SECTION_RECORDINGS, recordings, recording_count), NULL, 0, NULL, true},
};
const size_t record_kind_count = sizeof record_kinds / sizeof *record_kinds;

const struct record_kind *record_kind_find(uint32_t section)
{
	for (size_t i = 0; i < record_kind_count; i++)
		if (record_kinds[i].section == section)
			return &record_kinds[i];
	return NULL;
}

void *record_kind_list(const struct profile *p, const struct record_kind *k)
{
	void *list;
	memcpy(&list, (const char *)p + k->list, sizeof list);
	return list;
}

size_t record_kind_records(const struct profile *p, const struct record_kind *k)
{
	size_t count;
	memcpy(&count, (const char *)p + k->count, sizeof count);
	return count;
}

void record_kind_set(struct profile *p, const struct record_kind *k, void *list, size_t count)
{
	memcpy((char *)p + k->list, &list, sizeof list);
	memcpy((char *)p + k->count, &count, sizeof count);
}
