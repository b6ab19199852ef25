/* SPDX-License-Identifier: MIT */
/* thread_record.c - see thread_record.h. */
#include "preload/track/thread_record.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/profile/file.h"
#include "preload/tree/tree.h"

#include <fcntl.h>
#include <sys/prctl.h>

#define THREADS_SECTION ZPROF_GRANULE

static struct zprof_thread *in_section(struct zprof_section *s, uint32_t *slot)
{
	uint64_t room = (s->bytes - sizeof(*s)) / sizeof(struct zprof_thread);

	if (*slot >= room) {
		*slot -= (uint32_t)room;
		return NULL;
	}
	return (struct zprof_thread *)((char *)s + sizeof(*s)) + *slot;
}

struct zprof_thread *thread_record_new(struct process *p, uint32_t *id)
{
	uint32_t slot = __atomic_fetch_add(&p->lineage_count, 1, __ATOMIC_RELAXED), i;
	struct zprof_thread *record = NULL;

	*id = slot + 1;
	for (i = 0; i < PROCESS_THREAD_SECTIONS; i++) {
		struct zprof_section *s = __atomic_load_n(&p->thread_sections[i], __ATOMIC_ACQUIRE),
				     *seen = NULL;

		if (!s) {
			s = file_section(p, ZPROF_SECTION_THREADS, 0,
					 (uint64_t)THREADS_SECTION << (i < 8 ? i : 8));
			if (!s)
				return NULL;
			s->used = s->bytes;
			if (!__atomic_compare_exchange_n(&p->thread_sections[i], &seen, s, false,
							 __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
				s = seen;
		}
		record = in_section(s, &slot);
		if (record)
			break;
	}
	return record;
}

void thread_record_describe(struct zprof_thread *record, uint32_t tid)
{
	char name[16] = "";

	sys2(SYS_prctl, PR_GET_NAME, name);
	memcpy(record->name, name, sizeof(record->name));
	record->tid = tid;
	record->count++;
}

bool thread_record_name_of(uint32_t tid, char name[THREAD_RECORD_NAME])
{
	char path[64];
	struct text t;
	long fd, n;

	text_init(&t, path, sizeof(path));
	text_add(&t, SYS_SELF "../");
	text_number(&t, tid);
	text_add(&t, "/comm");
	fd = sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (SYS_FAILED(fd))
		return false;
	memset(name, 0, THREAD_RECORD_NAME);
	n = sys3(SYS_read, fd, name, THREAD_RECORD_NAME);
	sys1(SYS_close, fd);
	if (n <= 0)
		return false;
	name[n - 1] = 0; /* in place of the end of the line */
	return true;
}

void thread_record_rename(struct zprof_thread *record, char known[THREAD_RECORD_NAME],
			  const char name[THREAD_RECORD_NAME])
{
	if (!memcmp(record->name, known, THREAD_RECORD_NAME))
		memcpy(record->name, name, THREAD_RECORD_NAME);
	memcpy(known, name, THREAD_RECORD_NAME);
}

/* The order of these stores keeps the record's time from exceeding its nodes' sum (format.h). */
void thread_record_begin(struct zprof_thread *record, uint64_t ticks)
{
	volatile struct zprof_thread *r = record;
	uint64_t lasted = r->last_ticks - r->first_ticks;

	r->first_ticks = r->last_ticks;
	r->active_ticks += lasted;
	r->first_ticks = ticks;
	r->last_ticks = ticks;
}

uint64_t thread_record_open_zones(const struct zprof_thread *record, char *base)
{
	uint32_t node = record->current[0];
	uint64_t n = 0;

	for (; node != record->root; node = node_at(base, node)->parent)
		n++;
	return n;
}
