/* SPDX-License-Identifier: MIT */
/* counters.c - see counters.h. */
#include "preload/counters.h"

#include "preload/process.h"
#include "preload/sys.h"

static void write_names(struct process *p)
{
	struct counters *c = &p->counters;

	while (c->written < c->used) {
		const char *name = c->name[c->written++];
		struct zprof_section *s = file_section(p, ZPROF_SECTION_TEXT, 0, ZPROF_GRANULE);
		struct zprof_text *record;

		if (!s) {
			process_count(p, ZPROF_LOSS_ZONES, 1);
			return;
		}
		record = (struct zprof_text *)((char *)s + s->used);
		record->kind = ZPROF_TEXT_COUNTER;
		record->text_bytes = (uint32_t)strlen(name);
		record->bytes = ZPROF_RECORD_BYTES((uint32_t)sizeof(*record) + record->text_bytes);
		memcpy(record->text, name, record->text_bytes);
		__atomic_store_n(&s->used, s->used + record->bytes, __ATOMIC_RELEASE);
	}
}

void counters_begin(struct process *p, const struct process *from)
{
	if (!from)
		return;
	p->counters = from->counters;
	p->counters.written = 0;
	p->counters.busy = 0;
	write_names(p);
}

/* How much of a name is kept. */
static size_t kept_length(const char *name)
{
	size_t n = strlen(name), room = sizeof(((struct counters *)0)->name[0]) - 1;

	return n < room ? n : room;
}

static bool same_start(const char *kept, const char *name)
{
	size_t n = kept_length(name);

	return strlen(kept) == n && !memcmp(kept, name, n);
}

uint32_t counters_column(struct process *p, const char *name)
{
	struct counters *c = &p->counters;
	uint32_t i;

	while (__atomic_exchange_n(&c->busy, 1, __ATOMIC_ACQUIRE))
		sys0(SYS_sched_yield);
	for (i = 0; i < c->used && !same_start(c->name[i], name); i++)
		;
	if (i == c->used && i < ZPROF_EXTRA_COUNTERS) {
		memcpy(c->name[i], name, kept_length(name));
		c->used++;
		write_names(p);
	}
	__atomic_store_n(&c->busy, 0, __ATOMIC_RELEASE);
	return i;
}
