/* SPDX-License-Identifier: MIT */
/* rings.c - see rings.h. */
#define _GNU_SOURCE
#include "report/second_run/rings.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "report/core/base/memory.h"

/* CPUS_MAX: as many as Linux can have on this processor. */
enum { CPUS_MAX = 8192, ALL_PAGES = 16384, LEAST_PAGES = 32, STACK_BYTES = 8192 };

#define RECORD_MAX 65536
#define WATERMARK  (1u << 20)

struct ring {
	int fd;
	struct perf_event_mmap_page *page;
	size_t bytes; /* of records: a power of two */
};

struct rings {
	struct ring list[CPUS_MAX];
	int count;
	union {
		struct perf_event_header header;
		char bytes[RECORD_MAX];
	} record;
};

static void close_ring(struct ring *r)
{
	if (r->page != MAP_FAILED)
		munmap(r->page, r->bytes + (size_t)getpagesize());
	if (r->fd >= 0)
		close(r->fd);
}

static bool open_ring(struct ring *r, struct perf_event_attr *attr, pid_t pid, int cpu,
		      size_t pages)
{
	r->bytes = pages * (size_t)getpagesize();
	r->page = MAP_FAILED;
	attr->wakeup_watermark = r->bytes / 4 < WATERMARK ? (uint32_t)r->bytes / 4 : WATERMARK;
	r->fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (r->fd >= 0)
		r->page = mmap(NULL, r->bytes + (size_t)getpagesize(), PROT_READ | PROT_WRITE,
			       MAP_SHARED, r->fd, 0);
	if (r->page != MAP_FAILED)
		return true;
	int error = errno;
	close_ring(r);
	errno = error;
	return false;
}

/* How many pages each processor's ring has: as many as possible, but all together at most
 * ALL_PAGES. */
static size_t first_pages(long cpus)
{
	size_t pages = ALL_PAGES / 2;
	while (pages > LEAST_PAGES && pages * (size_t)cpus > ALL_PAGES)
		pages /= 2;
	return pages;
}

/* Opens a ring with less, if need be: a user who is not root may not sample the kernel, and may
 * lock little memory. */
static bool open_some(struct ring *r, struct perf_event_attr *attr, pid_t pid, int cpu,
		      size_t *pages)
{
	while (!open_ring(r, attr, pid, cpu, *pages)) {
		if ((errno == EACCES || errno == EPERM) && r->fd < 0 && !attr->exclude_kernel)
			attr->exclude_kernel = 1;
		else if (errno == EPERM && r->fd >= 0 && *pages > LEAST_PAGES)
			*pages /= 2;
		else
			return false;
	}
	return true;
}

static struct rings *open_all(pid_t pid, bool on_exec, uint64_t period_ns, bool *kernel,
			      struct str *err)
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
	    .disabled = on_exec,
	    .enable_on_exec = on_exec,
	    .inherit = on_exec,
	    .mmap = 1,
	    .watermark = 1,
	};
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t pages = first_pages(cpus);
	struct rings *r = memory_zeroed(1, sizeof *r);

	for (int cpu = 0; cpu < cpus && cpu < CPUS_MAX; cpu++) {
		if (open_some(&r->list[r->count], &attr, pid, cpu, &pages)) {
			r->count++;
		} else if (errno != ENODEV) { /* ENODEV: a processor that is switched off */
			bool refused = errno == EACCES || errno == EPERM;
			str_fail(err, "cannot take samples: %s%s", strerror(errno),
				 refused ? "; root can, or set kernel.perf_event_paranoid to 1"
					 : "");
			rings_close(r);
			return NULL;
		}
	}
	*kernel = !attr.exclude_kernel;
	return r;
}

struct rings *rings_open(pid_t pid, uint64_t period_ns, bool *kernel, struct str *err)
{
	return open_all(pid, true, period_ns, kernel, err);
}

struct rings *rings_open_here(uint64_t period_ns, bool *kernel, struct str *err)
{
	return open_all(0, false, period_ns, kernel, err);
}

void rings_close(struct rings *r)
{
	for (int i = 0; i < r->count; i++)
		close_ring(&r->list[i]);
	free(r);
}

void rings_wait(const struct rings *r, int ms)
{
	struct pollfd polls[CPUS_MAX];

	for (int i = 0; i < r->count; i++)
		polls[i] = (struct pollfd){.fd = r->list[i].fd, .events = POLLIN};
	poll(polls, (nfds_t)r->count, ms);
}

static uint64_t head_of(const struct ring *r)
{
	return __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
}

/* Hands out the records before HEAD, and leaves them in the ring. */
static void read_ring(struct rings *all, const struct ring *r, uint64_t head, rings_take_fn *take,
		      void *context)
{
	const char *data = (const char *)r->page + getpagesize();
	size_t size;

	for (uint64_t at = r->page->data_tail; at < head; at += size) {
		uint64_t offset = at & (r->bytes - 1), first = r->bytes - offset;

		size = ((const struct perf_event_header *)(const void *)(data + offset))->size;
		if (size < sizeof(struct perf_event_header))
			return; /* no record is so small */
		if (first > size)
			first = size;
		memcpy(all->record.bytes, data + offset, first);
		memcpy(all->record.bytes + first, data, size - first);
		take(context, &all->record.header);
	}
}

/* A mapping may be in the ring of another processor than its samples. So all rings are read for
 * mappings first, and further than they are read for samples. */
void rings_drain(struct rings *r, rings_take_fn *map, rings_take_fn *other, void *context)
{
	uint64_t heads[CPUS_MAX];

	for (int i = 0; i < r->count; i++)
		heads[i] = head_of(&r->list[i]);
	for (int i = 0; i < r->count; i++)
		read_ring(r, &r->list[i], head_of(&r->list[i]), map, context);
	for (int i = 0; i < r->count; i++) {
		read_ring(r, &r->list[i], heads[i], other, context);
		__atomic_store_n(&r->list[i].page->data_tail, heads[i], __ATOMIC_RELEASE);
	}
}
