/* SPDX-License-Identifier: MIT */
/* counters.c - see counters.h. */
#include "preload/profile/counters.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"

#define NAME_BYTES   64 /* kept of a name, its zero byte included */
#define RECORD_BYTES ZPROF_RECORD_BYTES(sizeof(struct zprof_text) + NAME_BYTES)

/*
 * Copies of names. Each new name uses up one copy. A second thread that brings the same name at the
 * same time uses up another, and a jump that leaves a name half copied wastes one.
 */
#define COPIES 64
static char copies[COPIES][NAME_BYTES];
static uint32_t copies_used;

/* A copy of a name. NULL: no room. */
static const char *keep(const char *name)
{
	uint32_t i = __atomic_load_n(&copies_used, __ATOMIC_RELAXED);
	size_t n = strlen(name);

	do
		if (i == COPIES)
			return NULL;
	while (!__atomic_compare_exchange_n(&copies_used, &i, i + 1, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
	memcpy(copies[i], name, n < NAME_BYTES - 1 ? n : NAME_BYTES - 1);
	return copies[i];
}

static bool same(const char *kept, const char *name)
{
	size_t i;

	for (i = 0; i < NAME_BYTES - 1; i++)
		if (kept[i] != name[i])
			return false;
		else if (!name[i])
			return true;
	return true;
}

/* ---- into the profile */

static struct zprof_section *section_of(struct process *p)
{
	struct zprof_section *s = __atomic_load_n(&p->counters->section, __ATOMIC_ACQUIRE),
			     *none = NULL;

	if (s)
		return s;
	s = file_section(p, ZPROF_SECTION_TEXT, 0,
			 sizeof(*s) + ZPROF_EXTRA_COUNTERS * RECORD_BYTES);
	if (!s)
		return NULL;
	return __atomic_compare_exchange_n(&p->counters->section, &none, s, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE)
		   ? s
		   : none;
}

static void write_name(struct zprof_section *s, uint32_t column, const char *name)
{
	struct zprof_text *record = (struct zprof_text *)((char *)(s + 1) + column * RECORD_BYTES);
	uint64_t end = sizeof(*s) + (column + 1) * RECORD_BYTES,
		 seen = __atomic_load_n(&s->used, __ATOMIC_RELAXED);

	if (seen >= end)
		return;
	record->kind = ZPROF_TEXT_COUNTER;
	record->text_bytes = (uint32_t)strlen(name);
	record->bytes = RECORD_BYTES;
	memcpy(record->text, name, record->text_bytes);
	while (seen < end && !__atomic_compare_exchange_n(&s->used, &seen, end, false,
							  __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* Writes all names into the profile. False: no room. */
static bool write_names(struct process *p)
{
	struct zprof_section *s = section_of(p);
	uint32_t i;

	for (i = 0; s && i < ZPROF_EXTRA_COUNTERS; i++) {
		const char *name = __atomic_load_n(&p->counters->name[i], __ATOMIC_ACQUIRE);

		if (!name)
			break;
		write_name(s, i, name);
	}
	return s != NULL;
}

void counters_begin(struct process *p, const struct process *from)
{
	if (!from || !from->counters->name[0])
		return;
	memcpy(p->counters->name, from->counters->name, sizeof(p->counters->name));
	if (!write_names(p))
		losses_count(p, ZPROF_LOSS_ZONES, 1);
}

/* ---- columns */

/*
 * Whether a place in the table holds this name. A free place is taken for the name, and *new says
 * so. False: the place holds another name, or there is no room for a copy of this name.
 */
static bool take_place(const char **place, const char *name, bool *new)
{
	const char *kept = __atomic_load_n(place, __ATOMIC_ACQUIRE), *copy;

	if (!kept) {
		copy = keep(name);
		*new = copy &&__atomic_compare_exchange_n(place, &kept, copy, false,
							  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
		if (*new)
			return true;
	}
	return kept && same(kept, name);
}

uint32_t counters_column(struct process *p, const char *name)
{
	bool new = false;
	uint32_t i;

	for (i = 0; i < ZPROF_EXTRA_COUNTERS; i++)
		if (take_place(&p->counters->name[i], name, &new))
			break;
	if (i == ZPROF_EXTRA_COUNTERS)
		losses_count(p, copies_used == COPIES ? ZPROF_LOSS_ZONES : ZPROF_MISUSE, 1);
	else if (!write_names(p) && new)
		losses_count(p, ZPROF_LOSS_ZONES, 1);
	return i;
}
