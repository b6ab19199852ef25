/* SPDX-License-Identifier: MIT */
/* zones.c - see zones.h. */
#define ZPROF_LIBRARY
#include "preload/profile/zones.h"

#include "preload/zprof.h"
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"

#define SECTIONS_MAX (64u * 1024) /* sections double up to here */
#define ROOM_BYTES   (64u * 1024)
#define TEXT_MAX     65535u

struct zone {
	struct zprof_zone *record; /* the name; NULL: not known yet, or never */
	void (*describe)(void *context, struct zprof_function *function);
	void *context;
	uint32_t kind; /* enum zprof_zone_kind; stored with the record, or with `describe` */
};

/* A block of memory that records are cut from. */
struct room {
	uint64_t used, bytes;
};

/* All zones by id, in chunks that are allocated as needed. */
#define CHUNK  4096u
#define CHUNKS (ZONES_MAX / CHUNK + 1)
static struct zone *chunks[CHUNKS];
static struct room *room;
static uint32_t last_id = ZONES_UNKNOWN;

/* ---- memory */

static bool replace_room(struct room *full, uint64_t bytes)
{
	struct room *new;

	bytes = bytes + sizeof(*new) > ROOM_BYTES ? bytes + sizeof(*new) : ROOM_BYTES;
	new = sys_memory(bytes);
	if (!new)
		return false;
	new->used = sizeof(*new);
	new->bytes = bytes;
	if (!__atomic_compare_exchange_n(&room, &full, new, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		sys_memory_free(new, bytes);
	return true;
}

/* Memory that is never freed: zones live as long as the process. */
static void *memory_for_record(uint32_t bytes)
{
	struct room *r;

	for (;;) {
		r = __atomic_load_n(&room, __ATOMIC_ACQUIRE);
		if (r) {
			uint64_t at = __atomic_fetch_add(&r->used, bytes, __ATOMIC_RELAXED);

			if (at + bytes <= r->bytes)
				return (char *)r + at;
		}
		if (!replace_room(r, bytes))
			return NULL;
	}
}

static uint32_t text_length(const char *s)
{
	size_t n = s ? strlen(s) : 0;

	return n < TEXT_MAX ? (uint32_t)n : TEXT_MAX;
}

static struct zprof_zone *make_record(uint32_t id, uint32_t kind, const struct zprof_function *f)
{
	uint32_t name = text_length(f->name), group = text_length(f->group),
		 file = text_length(f->file);
	uint32_t bytes =
	    ZPROF_RECORD_BYTES((uint32_t)sizeof(struct zprof_zone) + name + group + file);
	struct zprof_zone *record = memory_for_record(bytes);

	if (!record)
		return NULL;
	record->bytes = bytes;
	record->id = id;
	record->kind = kind;
	record->line = f->line;
	record->name_bytes = name;
	record->group_bytes = group;
	record->file_bytes = file;
	memcpy(record->text, f->name, name);
	memcpy(record->text + name, f->group, group);
	memcpy(record->text + name + group, f->file, file);
	return record;
}

/* The zone of an id that has been given out. */
static struct zone *zone_of(uint32_t id)
{
	return &__atomic_load_n(&chunks[id / CHUNK], __ATOMIC_ACQUIRE)[id % CHUNK];
}

/* ---- into the profile */

/*
 * While a thread writes, p->zones->section is NULL, so no other thread writes in this section. A
 * second thread that finds NULL there begins another section. Afterwards only one of the two
 * sections is put back, and the rest of the other is given up.
 */
static void write_record(struct process *p, const struct zprof_zone *record)
{
	struct zprof_section *s = __atomic_exchange_n(&p->zones->section, NULL, __ATOMIC_ACQUIRE),
			     *none = NULL;

	if (!s || s->used + record->bytes > s->bytes) {
		uint64_t bytes = s ? 2 * s->bytes : ZPROF_GRANULE;

		if (bytes > SECTIONS_MAX)
			bytes = SECTIONS_MAX;
		if (bytes < sizeof(*s) + record->bytes)
			bytes = sizeof(*s) + record->bytes;
		s = file_section(p, ZPROF_SECTION_ZONES, 0, bytes);
		if (!s) {
			losses_count(p, ZPROF_LOSS_ZONES, 1);
			return;
		}
	}
	memcpy((char *)s + s->used, record, record->bytes);
	__atomic_store_n(&s->used, s->used + record->bytes, __ATOMIC_RELEASE);
	__atomic_compare_exchange_n(&p->zones->section, &none, s, false, __ATOMIC_RELEASE,
				    __ATOMIC_RELAXED);
}

/*
 * Writes a name, once per profile. If a jump leaves this function half-way, the name stays
 * unwritten, and zones_close() counts the loss.
 */
static void offer(struct process *p, uint32_t id)
{
	const struct zprof_zone *record = __atomic_load_n(&zone_of(id)->record, __ATOMIC_ACQUIRE);
	uint64_t bit = (uint64_t)1 << id % 64;

	if (!record || __atomic_fetch_or(&p->zones->offered[id / 64], bit, __ATOMIC_RELAXED) & bit)
		return;
	__atomic_fetch_add(&p->zones->writing, 1, __ATOMIC_RELAXED);
	write_record(p, record);
	__atomic_fetch_sub(&p->zones->writing, 1, __ATOMIC_RELAXED);
}

static struct process *recording(void)
{
	struct process *p = process_now;

	return p && *p->here ? p : NULL;
}

static void publish(uint32_t id, struct zprof_zone *record)
{
	struct process *p;

	__atomic_store_n(&zone_of(id)->record, record, __ATOMIC_RELEASE);
	p = recording();
	if (p)
		offer(p, id);
}

/* ---- the table */

static void define_own(struct zone *z, uint32_t id, uint32_t kind, const char *name)
{
	struct zprof_function f = {name, NULL, NULL, 0};

	z[id].kind = kind;
	z[id].record = make_record(id, kind, &f);
}

/* Makes the chunk of an id. False: no memory. */
static bool begin_chunk(uint32_t id)
{
	struct zone **place = &chunks[id / CHUNK], *new, *none = NULL;

	if (__atomic_load_n(place, __ATOMIC_ACQUIRE))
		return true;
	new = sys_memory(CHUNK * sizeof(*new));
	if (!new)
		return false;
	if (id < CHUNK) {
		define_own(new, ZPROF_ID_SELF, ZPROF_ZONE_OWN, "[zprof]");
		define_own(new, ZONES_UNKNOWN, ZPROF_ZONE_LENT, "(unknown)");
	}
	if (!__atomic_compare_exchange_n(place, &none, new, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		sys_memory_free(new, CHUNK * sizeof(*new));
	return true;
}

static void count_loss(void)
{
	struct process *p = recording();

	if (p)
		losses_count(p, ZPROF_LOSS_ZONES, 1);
}

static uint32_t latest(void)
{
	uint32_t id = __atomic_load_n(&last_id, __ATOMIC_ACQUIRE);

	return id < ZONES_MAX ? id : ZONES_MAX;
}

/* An id for a new zone; 0: none is left. */
static uint32_t claim_id(void)
{
	uint32_t id = __atomic_load_n(&last_id, __ATOMIC_RELAXED);

	do
		if (id >= ZONES_MAX || !begin_chunk(0) || !begin_chunk(id + 1)) {
			count_loss();
			return 0;
		}
	while (!__atomic_compare_exchange_n(&last_id, &id, id + 1, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_RELAXED));
	return id + 1;
}

static void give_name(uint32_t id, uint32_t kind, const struct zprof_function *f)
{
	struct zprof_zone *record = make_record(id, kind, f);

	zone_of(id)->kind = kind;
	if (record)
		publish(id, record);
	else
		count_loss();
}

uint32_t zones_lend(const struct zprof_function *function)
{
	uint32_t id = claim_id();

	if (!id)
		return ZONES_UNKNOWN;
	give_name(id, ZPROF_ZONE_LENT, function);
	return id;
}

uint32_t zones_lend_late(void (*describe)(void *context, struct zprof_function *function),
			 void *context)
{
	uint32_t id = claim_id();
	struct zone *z;

	if (!id)
		return ZONES_UNKNOWN;
	z = zone_of(id);
	z->context = context;
	z->kind = ZPROF_ZONE_LENT;
	__atomic_store_n(&z->describe, describe, __ATOMIC_RELEASE);
	return id;
}

/* If two threads are here at once, one wins, and the other's id stays unused. */
uint32_t zones_of_mark(struct zprof_mark *mark)
{
	uint32_t id = __atomic_load_n(&mark->id, __ATOMIC_ACQUIRE), claimed;
	struct zprof_function f = {mark->name, NULL, mark->file, mark->line};

	if (id)
		return id;
	claimed = claim_id();
	if (!claimed)
		claimed = ZONES_UNKNOWN;
	if (!__atomic_compare_exchange_n(&mark->id, &id, claimed, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		return id;
	if (claimed != ZONES_UNKNOWN)
		give_name(claimed,
			  mark->kind == ZPROF_MARK_PUBLIC ? ZPROF_ZONE_PUBLIC : ZPROF_ZONE_PRIVATE,
			  &f);
	return claimed;
}

static uint32_t kind_of(uint32_t id)
{
	return chunks[0] && id && id <= latest() ? zone_of(id)->kind : 0;
}

bool zones_lent(uint32_t id)
{
	return kind_of(id) == ZPROF_ZONE_LENT;
}

bool zones_by_hand(uint32_t id)
{
	uint32_t kind = kind_of(id);

	return kind == ZPROF_ZONE_PRIVATE || kind == ZPROF_ZONE_PUBLIC;
}

const struct zprof_zone *zones_record(uint32_t id)
{
	return kind_of(id) ? __atomic_load_n(&zone_of(id)->record, __ATOMIC_ACQUIRE) : NULL;
}

bool zones_late(uint32_t id)
{
	return kind_of(id) && __atomic_load_n(&zone_of(id)->describe, __ATOMIC_RELAXED);
}

void zones_describe(uint32_t id)
{
	struct zprof_function f = {NULL, NULL, NULL, 0};
	struct zone *z = zone_of(id);
	void (*describe)(void *, struct zprof_function *) =
	    __atomic_exchange_n(&z->describe, NULL, __ATOMIC_ACQ_REL);

	if (!describe)
		return;
	describe(z->context, &f);
	give_name(id, ZPROF_ZONE_LENT, &f);
}

void zones_describe_all(void)
{
	uint32_t id, n = chunks[0] ? latest() : 0;

	for (id = 1; id <= n; id++)
		if (zone_of(id)->describe)
			zones_describe(id);
}

void zones_catch_up(struct process *p)
{
	uint32_t id, n = chunks[0] ? latest() : 0;

	for (id = 1; id <= n; id++)
		offer(p, id);
}

bool zones_begin(struct process *p)
{
	p->zones->offered = sys_memory(ZONES_MAX / 8 + 8);
	if (!p->zones->offered || !begin_chunk(0))
		return false;
	zones_catch_up(p);
	return true;
}

void zones_close(struct process *p)
{
	uint32_t n = __atomic_load_n(&p->zones->writing, __ATOMIC_RELAXED);

	if (n)
		losses_count(p, ZPROF_LOSS_ZONES, n);
}
