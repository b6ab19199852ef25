/* SPDX-License-Identifier: MIT */
/* record_kinds.c - see record_kinds.h. */
#include "report/core/read/record_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

/* ---- checks of single kinds */

/* A way without callers is none: a record without a node is left out. */
static const char *check_via(void *record)
{
	struct zprof_via *v = &((struct profile_via *)record)->fixed;
	v->node = v->count ? v->node : 0;
	return NULL;
}

/* A chain of no steps is none, and so is one that is being written: both are left out. */
static const char *check_chain(void *record)
{
	struct zprof_chain *c = record;
	c->node = c->count && c->count <= ZPROF_CHAIN_STEPS ? c->node : 0;
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
	return !m->id || m->id > 0xffffff ? "a module has an id out of range" : NULL;
}

/* ---- the table */

#define OF_NODE(type, what)        .of_node = what, .node = offsetof(struct type, node)
#define VARYING(type, rest, wrong) .fixed = offsetof(struct zprof_##type, rest), .too_long = wrong
#define PIECES(...)                .pieces = {__VA_ARGS__}
#define PIECE(type, piece, number)                                                                 \
	{                                                                                          \
		sizeof *MEMBER(profile_##type, piece), offsetof(struct zprof_##type, number),      \
		    offsetof(struct profile_##type, piece), false                                  \
	}
#define TEXT(type, text)                                                                           \
	{                                                                                          \
		1, offsetof(struct zprof_##type, text##_bytes),                                    \
		    offsetof(struct profile_##type, text), true                                    \
	}
#define MEMBER(type, member) (((struct type *)NULL)->member)
#define MEMBERS(type, from, to)                                                                    \
	.first = offsetof(struct type, from), .bytes_each = sizeof MEMBER(type, from),             \
	.count =                                                                                   \
	    (offsetof(struct type, to) + sizeof MEMBER(type, to) - offsetof(struct type, from)) /  \
	    sizeof MEMBER(type, from)
#define REALS(type, from, to) .reals = {MEMBERS(type, from, to)}
#define KEY(type, from, to)   .key = {MEMBERS(type, from, to)}
#define SUMS(...)             .sums = {__VA_ARGS__}

const struct record_kind record_kinds[] = {
#define RECORD_KIND(section, type, list, count, ...)                                               \
	{ZPROF_SECTION_##section, offsetof(struct profile, list), offsetof(struct profile, count), \
	 sizeof(type), __VA_ARGS__},
#include "report/core/read/record_kinds.def"
};
const size_t record_kind_count = sizeof record_kinds / sizeof *record_kinds;

const struct record_kind *record_kind_find(uint32_t section)
{
	for (size_t i = 0; i < record_kind_count; i++)
		if (record_kinds[i].section == section)
			return &record_kinds[i];
	return NULL;
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

/* ---- a record */

uint32_t record_node(const struct record_kind *k, const void *record)
{
	return k->of_node ? *(const uint32_t *)((const char *)record + k->node) : 0;
}

const char *record_check(const struct record_kind *k, void *record)
{
	double *real = (double *)((char *)record + k->reals.first);
	for (size_t i = 0; i < k->reals.count; i++)
		if (!isfinite(real[i]))
			real[i] = 0;
	return k->check ? k->check(record) : NULL;
}

uint64_t record_piece_bytes(const struct record_piece *piece, const void *fixed)
{
	uint32_t units;
	memcpy(&units, (const char *)fixed + piece->length, sizeof units);
	return (uint64_t)units * piece->unit;
}

/* Adds a record of BYTES; returns what is wrong with it, or NULL. */
static const char *add_one(struct profile *p, const struct record_kind *k, const char *record,
			   size_t bytes)
{
	uint64_t rest = 0;
	for (size_t i = 0; i < RECORD_PIECES && k->pieces[i].unit; i++)
		rest += record_piece_bytes(&k->pieces[i], record);
	if (rest > bytes - k->fixed)
		return k->too_long;
	char *to = record_kind_room(p, k, 1);
	memset(to, 0, k->bytes);
	memcpy(to, record, k->fixed);
	const char *wrong = record_check(k, to);
	const char *at = record + k->fixed;
	for (size_t i = 0; !wrong && i < RECORD_PIECES && k->pieces[i].unit; i++) {
		uint64_t n = record_piece_bytes(&k->pieces[i], record);
		char *copy = memory_text(at, n);
		memcpy(to + k->pieces[i].copy, &copy, sizeof copy);
		at += n;
	}
	record_kind_set(p, k, record_kind_records(p, k) + !wrong);
	return wrong;
}

bool record_kind_add(struct profile *p, const struct record_kind *k, const char *all, size_t n,
		     uint64_t offset, struct str *err)
{
	const char *wrong = NULL;
	size_t at = 0;
	while (!wrong && at < n) {
		uint32_t bytes = 0;
		if (n - at >= sizeof bytes)
			memcpy(&bytes, all + at, sizeof bytes);
		if (bytes < k->fixed || bytes % 8)
			wrong = "a record's size makes no sense";
		else if (bytes > n - at)
			wrong = "a record goes beyond the end of its section";
		else if (!(wrong = add_one(p, k, all + at, bytes)))
			at += bytes;
	}
	/* In a file that is cut short, the last record is cut too; p->damage says so already. */
	return !wrong || p->damage.used || profile_bad(p, err, offset + at, wrong);
}

static void free_pieces(const struct record_kind *k, const char *record)
{
	for (size_t i = 0; i < RECORD_PIECES && k->pieces[i].unit; i++) {
		void *copy;
		memcpy(&copy, record + k->pieces[i].copy, sizeof copy);
		free(copy);
	}
}

void record_kind_filter(struct profile *p, const struct record_kind *k, record_keep *keep,
			void *context)
{
	char *list = record_kind_list(p, k);
	size_t kept = 0, count = record_kind_records(p, k);
	for (size_t i = 0; i < count; i++) {
		char *record = list + i * k->bytes;
		if (keep(context, k, record))
			memmove(list + kept++ * k->bytes, record, k->bytes);
		else
			free_pieces(k, record);
	}
	record_kind_set(p, k, kept);
}

static bool keep_none(void *context, const struct record_kind *k, void *record)
{
	(void)context, (void)k, (void)record;
	return false;
}

void record_kinds_free(struct profile *p)
{
	for (size_t i = 0; i < record_kind_count; i++) {
		record_kind_filter(p, &record_kinds[i], keep_none, NULL);
		free(record_kind_list(p, &record_kinds[i]));
	}
}
