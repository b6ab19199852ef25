/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tests/bench/truth/rings.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CPUS_MAX = 256, RING_PAGES = 8192, STACK_BYTES = 8192, RECORD_MAX = 65536 };

static struct ring {
	int fd;
	struct perf_event_mmap_page *page;
	uint64_t mask;
} rings[CPUS_MAX];
static int ring_count;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "sampler: %s: %s\n", what, strerror(errno));
	exit(2);
}

void rings_open(pid_t pid, uint64_t period_ns)
{
	struct perf_event_attr attr = {
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(attr),
	    .config = PERF_COUNT_SW_TASK_CLOCK,
	    .sample_period = period_ns,
	    .sample_type =
		PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	    .sample_regs_user = RINGS_REGISTERS,
	    .sample_stack_user = STACK_BYTES,
	    .disabled = 1,
	    .enable_on_exec = 1,
	    .inherit = 1,
	    .mmap = 1,
	    .watermark = 1,
	    .wakeup_watermark = 1 << 20,
	};
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t page_bytes = (size_t)getpagesize();

	for (int cpu = 0; cpu < cpus && cpu < CPUS_MAX; cpu++) {
		struct ring *r = &rings[ring_count];

		r->fd =
		    (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (r->fd < 0)
			die("cannot take samples (root can, or set /proc/sys/kernel/perf_event_paranoid to 1)");
		r->page = mmap(NULL, (1 + RING_PAGES) * page_bytes, PROT_READ | PROT_WRITE,
			       MAP_SHARED, r->fd, 0);
		if (r->page == MAP_FAILED)
			die("mmap of the samples");
		r->mask = RING_PAGES * page_bytes - 1;
		ring_count++;
	}
}

void rings_wait(int ms)
{
	struct pollfd polls[CPUS_MAX];

	for (int i = 0; i < ring_count; i++)
		polls[i] = (struct pollfd){.fd = rings[i].fd, .events = POLLIN};
	poll(polls, (nfds_t)ring_count, ms);
}

/* Hands the records before HEAD out, and leaves them where they are. */
static void read_ring(const struct ring *r, uint64_t head, rings_take_fn *take)
{
	static union {
		struct perf_event_header header;
		char bytes[RECORD_MAX];
	} record;
	const char *data = (const char *)r->page + getpagesize();

	for (uint64_t at = r->page->data_tail; at < head; at += record.header.size) {
		uint64_t offset = at & r->mask, first = r->mask + 1 - offset;
		size_t bytes =
		    ((const struct perf_event_header *)(const void *)(data + offset))->size;

		if (!bytes)
			die("a record of no size");
		if (first > bytes)
			first = bytes;
		memcpy(record.bytes, data + offset, first);
		memcpy(record.bytes + first, data, bytes - first);
		take(&record.header);
	}
}

/* What was mapped may be told in the ring of another processor than the samples in it: it is read
 * first, and beyond the last sample. */
void rings_drain(rings_take_fn *map, rings_take_fn *other)
{
	uint64_t heads[CPUS_MAX];

	for (int i = 0; i < ring_count; i++)
		heads[i] = __atomic_load_n(&rings[i].page->data_head, __ATOMIC_ACQUIRE);
	for (int i = 0; i < ring_count; i++)
		read_ring(&rings[i], __atomic_load_n(&rings[i].page->data_head, __ATOMIC_ACQUIRE),
			  map);
	for (int i = 0; i < ring_count; i++) {
		read_ring(&rings[i], heads[i], other);
		__atomic_store_n(&rings[i].page->data_tail, heads[i], __ATOMIC_RELEASE);
	}
}
