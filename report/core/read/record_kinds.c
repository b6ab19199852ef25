/* SPDX-License-Identifier: MIT */
/* record_kinds.c - see record_kinds.h. */
#include "report/core/read/record_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

/* ---- records with any bytes */

static void make_finite(double *number)
{
	if (!isfinite(*number))
		*number = 0;
}

static const char *check_cost(void *record)
{
	struct zprof_cost *c = record;
	double *all[] = {&c->ns,     &c->error_ns, &c->all_error_ns, &c->variance,
			 &c->cpu_ns, &c->wait_ns,  &c->preempted_ns};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		make_finite(all[i]);
	return NULL;
}

static const char *check_native(void *record)
{
	struct zprof_native *n = record;
	make_finite(&n->cpu_ns);
	make_finite(&n->variance);
	return NULL;
}

static const char *check_part(void *record)
{
	struct profile_part *p = record;
	make_finite(&p->fixed.hook_ns);
	return NULL;
}

/* A way without callers is none: a record without a node is left out. */
static const char *check_via(void *record)
{
	struct zprof_via *v = &((struct profile_via *)record)->fixed;
	v->node = v->count ? v->node : 0;
	return NULL;
}

/* Its name ends. */
static const char *check_turns(void *record)
{
	struct zprof_turns *t = record;
	t->name[sizeof t->name - 1] = 0;
	return NULL;
}

static const char *check_module(void *record)
{
	const struct zprof_module *m = &((struct profile_module *)record)->fixed;
	if (m->build_id_bytes > sizeof m->build_id)
		return "a module's build-id is longer than its field";
	if (!m->id || m->id > 0xffffff)
		return "a module has an id out of range";
	return NULL;
}

/* ---- the table */

#define LIST(records, number)                                                                      \
	.list = offsetof(struct profile, records), .count = offsetof(struct profile, number),      \
	.bytes = sizeof *((struct profile *)NULL)->records
#define OF_NODE(type, what) .of_node = what, .node = offsetof(struct type, node)
#define VARYING(type, rest) .fixed = offsetof(struct zprof_##type, rest)
#define PIECE(type, piece, number)                                                                 \
	{                                                                                          \
		sizeof *((struct zprof_##type *)NULL)->piece,                                      \
		    offsetof(struct zprof_##type, number), offsetof(struct profile_##type, piece)  \
	}
#define TEXT(type, text)                                                                           \
	{                                                                                          \
		1, offsetof(struct zprof_##type, text##_bytes),                                    \
		    offsetof(struct profile_##type, text)                                          \
	}
#define MEMBER(type, member) (((struct type *)NULL)->member)
#define MEMBERS(type, from, to)                                                                    \
	offsetof(struct type, from), sizeof MEMBER(type, from),                                    \
	    (offsetof(struct type, to) + sizeof MEMBER(type, to) - offsetof(struct type, from)) /  \
		sizeof MEMBER(type, from)

const struct record_kind record_kinds[] = {
    [ZPROF_SECTION_NODES] = {LIST(nodes, node_count), .read = profile_read_nodes,
			     .link = profile_links_nodes, .since = profile_since_nodes,
			     .in_set = true},
    [ZPROF_SECTION_THREADS] = {LIST(threads, thread_count), .link = profile_links_threads,
			       .keys = {{MEMBERS(zprof_thread, id, id)}},
			       .sums = {{MEMBERS(zprof_thread, sampled_ns, unseen_ns)},
					{MEMBERS(zprof_thread, looked_ns, looked_ns)}}},
    [ZPROF_SECTION_MODULES] = {LIST(modules, module_count), VARYING(module, path),
			       .pieces = {TEXT(module, path)},
			       .too_long = "a module's path is longer than its record",
			       .check = check_module, .with_id = "modules"},
    [ZPROF_SECTION_ZONES] = {LIST(zones, zone_count), VARYING(zone, text),
			     .pieces = {TEXT(zone, name), TEXT(zone, group), TEXT(zone, file)},
			     .too_long = "a zone's texts are longer than its record",
			     .with_id = "zones"},
    [ZPROF_SECTION_TEXT] = {VARYING(text, text),
			    .pieces = {{1, offsetof(struct zprof_text, text_bytes), 0}},
			    .too_long = "a text is longer than its record",
			    .take = profile_records_take_text, .in_texts = true},
    [ZPROF_SECTION_EXTRAS] = {LIST(extras, extra_count), OF_NODE(zprof_extra, "a lent zone"),
			      .sums = {{MEMBERS(zprof_extra, returned, counter), true}},
			      .is_counted = true, .in_set = true},
    [ZPROF_SECTION_TURNS] = {LIST(turns, turns_count), .check = check_turns, .is_counted = true},
    [ZPROF_SECTION_VIA] = {LIST(vias, via_count), VARYING(via, addresses),
			   .pieces = {PIECE(via, addresses, count)},
			   .too_long = "addresses of callers are more than their record holds",
			   .check = check_via,
			   OF_NODE(zprof_via, "callers that were not instrumented")},
    [ZPROF_SECTION_SAMPLES] = {LIST(samples, sample_count), OF_NODE(zprof_samples, "samples"),
			       .sums = {{MEMBERS(zprof_samples, hook_samples, kernel_samples)},
					{MEMBERS(zprof_samples, user_ns, preempted_ns)},
					{MEMBERS(zprof_samples, waits, preemptions)}},
			       .adds_up = true, .is_counted = true, .in_set = true},
    [ZPROF_SECTION_CALLS] = {LIST(calls, call_count), OF_NODE(zprof_call, "calls by place"),
			     .since = profile_since_none, .is_counted = true, .in_set = true},
    [ZPROF_SECTION_COUNTS] = {LIST(counts, count_count), .read = profile_read_counts,
			      .since = profile_since_none, .is_counted = true},
    [ZPROF_SECTION_CHOICES] = {LIST(choices, choice_count), VARYING(choice, text),
			       .pieces = {TEXT(choice, text)},
			       .too_long = "the text of a choice is longer than its record"},
    [ZPROF_SECTION_WAITS] = {LIST(waits, wait_count), OF_NODE(zprof_wait, "what was waited for"),
			     .keys = {{MEMBERS(zprof_wait, call, call)},
				      {MEMBERS(zprof_wait, place, made_at)}},
			     .sums = {{MEMBERS(zprof_wait, waits, waited_ns)}}, .adds_up = true,
			     .is_counted = true, .in_set = true},
    [ZPROF_SECTION_PARTS] = {LIST(parts, part_count), VARYING(part, text),
			     .pieces = {TEXT(part, rank), TEXT(part, host), TEXT(part, command)},
			     .too_long = "a part's texts are longer than its record",
			     .check = check_part, .with_id = "parts", .in_texts = true},
    [ZPROF_SECTION_COSTS] = {LIST(costs, cost_count), OF_NODE(zprof_cost, "times"),
			     .check = check_cost, .is_counted = true},
    [ZPROF_SECTION_NAMES] = {LIST(names, name_count), VARYING(name, text),
			     .pieces = {TEXT(name, name), TEXT(name, linkage), TEXT(name, file),
					TEXT(name, compiler)},
			     .too_long = "a function's texts are longer than its record"},
    [ZPROF_SECTION_PLACES] = {LIST(places, place_count), VARYING(place, text),
			      .pieces = {TEXT(place, file)},
			      .too_long = "a place's file is longer than its record"},
    [ZPROF_SECTION_NATIVE] = {LIST(natives, native_count), OF_NODE(zprof_native, "a second run"),
			      .check = check_native, .since = profile_since_none,
			      .is_counted = true},
    [ZPROF_SECTION_RECORDINGS] = {LIST(recordings, recording_count), .in_texts = true},
    [ZPROF_SECTION_PACKED] = {.read = profile_read_packed},
    [ZPROF_SECTION_STATEMENTS] = {LIST(statements, statements_count), VARYING(statements, list),
				  .pieces = {PIECE(statements, list, count),
					     TEXT(statements, file)},
				  .too_long =
				      "a function's statements are more than their record holds"},
    [ZPROF_SECTION_SOURCES] = {LIST(sources, source_count), VARYING(source, data),
			       .pieces = {TEXT(source, path), TEXT(source, packed)},
			       .too_long = "a source is longer than its record"},
    [ZPROF_SECTION_MEMBERS] = {LIST(members, member_count), .in_texts = true},
};
const uint32_t record_kind_count = sizeof record_kinds / sizeof *record_kinds;

const struct record_kind *record_kind_find(uint32_t section)
{
	const struct record_kind *k = section < record_kind_count ? &record_kinds[section] : NULL;
	return k && (k->bytes || k->fixed || k->read) ? k : NULL;
}

/* ---- a kind's list */

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

void record_kind_set(struct profile *p, const struct record_kind *k, size_t count)
{
	memcpy((char *)p + k->count, &count, sizeof count);
}

/* A list of COUNT records has room for so many, at least. */
static size_t room_of(size_t count)
{
	return count <= 16 ? 16 : (size_t)1 << (64 - __builtin_clzl(count - 1));
}

void *record_kind_room(struct profile *p, const struct record_kind *k, size_t more)
{
	char *list = record_kind_list(p, k);
	size_t count = record_kind_records(p, k);
	if (!list || count + more > room_of(count)) {
		list = memory_resize(list, room_of(count + more), k->bytes);
		memcpy((char *)p + k->list, &list, sizeof list);
	}
	return list + count * k->bytes;
}

void record_kind_free_one(const struct record_kind *k, void *record)
{
	for (size_t i = 0; i < RECORD_PIECES && k->pieces[i].unit; i++) {
		void *copy;
		memcpy(&copy, (const char *)record + k->pieces[i].copy, sizeof copy);
		free(copy);
	}
}

void record_kinds_free(struct profile *p)
{
	for (const struct record_kind *k = record_kinds; k < record_kinds + record_kind_count;
	     k++) {
		char *list = k->bytes ? record_kind_list(p, k) : NULL;
		for (size_t i = 0; list && i < record_kind_records(p, k); i++)
			record_kind_free_one(k, list + i * k->bytes);
		free(list);
	}
}
