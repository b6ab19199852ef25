/* SPDX-License-Identifier: MIT */
/* rings.c - see rings.h. */
#define _GNU_SOURCE
#include "report/second_run/rings.h"
#include "report/core/base/processor.h"
#include "report/second_run/registers.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "report/core/base/memory.h"

/* CPUS_MAX: as many as Linux can have on this processor. */
enum { CPUS_MAX = 8192, ALL_PAGES = 16384, LEAST_PAGES = 32, STACK_BYTES = 8192 };

#define RECORD_MAX 65536
#define WATERMARK  (1u << 20)

struct ring {
	int fd;
	struct perf_event_mmap_page *page;
	size_t bytes;    /* of records: a power of two */
	uint64_t mapped; /* where mappings have been read to */
};

/* A record that waits for its turn, in the bytes of `struct rings`. */
struct waiting {
	uint64_t time;
	size_t at;
};

struct rings {
	struct ring list[CPUS_MAX];
	int count;
	int *
	    more; /* descriptors of further threads, whose records go into the rings of the first */
	size_t more_count, more_room;
	char *bytes; /* of records that wait */
	size_t used, room;
	struct waiting *waiting;
	size_t waiting_count, waiting_room;
	uint64_t latest; /* time of the latest record of the last call */
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

static struct perf_event_attr make_attr(bool on_exec, bool inherit, uint64_t period_ns,
					uint32_t stack_bytes)
{
	return (struct perf_event_attr){
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(struct perf_event_attr),
	    .config = PERF_COUNT_SW_TASK_CLOCK,
	    .sample_period = period_ns,
	    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	    .sample_id_all = 1, /* all records have a time */
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	    .sample_regs_user = registers.mask,
	    .sample_stack_user = stack_bytes,
	    .disabled = on_exec,
	    .enable_on_exec = on_exec,
	    .inherit = inherit,
	    .mmap = 1,
	    .watermark = 1,
	};
}

/* The system's setting; Debian knows 3, which leaves samples to root. */
static int paranoid(void)
{
	int level = 0;
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");

	if (f && fscanf(f, "%d", &level) != 1)
		level = 0;
	if (f)
		fclose(f);
	return level;
}

static bool is_others(pid_t pid)
{
	char path[32];
	struct stat s;

	snprintf(path, sizeof path, "/proc/%d", (int)pid);
	return pid && geteuid() && !stat(path, &s) && s.st_uid != geteuid();
}

void rings_why(pid_t pid, int error, struct str *to)
{
	if (error != EACCES && error != EPERM && error != ENOSYS)
		str_add(to, "%s", strerror(error));
	else if (is_others(pid))
		str_add(to, "the process is another user's: that user can sample it, or root");
	else if (geteuid() && paranoid() > 2)
		str_add(to,
			"kernel.perf_event_paranoid is %d: root can, or 'sysctl "
			"kernel.perf_event_paranoid=2' lets everyone sample programs of their own",
			paranoid());
	else if (pid && geteuid())
		str_add(to, "the process has rights that you have not (such as a set-user-ID "
			    "program has): root can");
	else
		str_add(to,
			"perf_event_open is refused (%s), as a container does by its seccomp "
			"profile: allow that system call%s",
			strerror(error),
			processor_lacks(PROCESSOR_PLANS)
			    ? ""
			    : ", or use 'zprof record --any', which counts calls without it");
}

static bool fail_to_sample(struct str *err)
{
	int error = errno;
	struct str why = {0};

	rings_why(0, error, &why);
	str_fail(err, "cannot take samples: %s", str_text(&why));
	str_free(&why);
	errno = error;
	return false;
}

static struct rings *open_all(pid_t pid, struct perf_event_attr attr, bool *kernel, struct str *err)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t pages = first_pages(cpus);
	struct rings *r = memory_zeroed(1, sizeof *r);

	for (int cpu = 0; cpu < cpus && cpu < CPUS_MAX; cpu++) {
		if (open_some(&r->list[r->count], &attr, pid, cpu, &pages)) {
			r->count++;
		} else if (errno != ENODEV) { /* ENODEV: a processor that is switched off */
			fail_to_sample(err);
			int error = errno;
			rings_close(r);
			errno = error;
			return NULL;
		}
	}
	*kernel = !attr.exclude_kernel;
	return r;
}

struct rings *rings_open(pid_t pid, uint64_t period_ns, bool *kernel, struct str *err)
{
	return open_all(pid, make_attr(true, true, period_ns, STACK_BYTES), kernel, err);
}

struct rings *rings_open_here(uint64_t period_ns, bool *kernel, struct str *err)
{
	return open_all(0, make_attr(false, false, period_ns, STACK_BYTES), kernel, err);
}

/* Samples a further thread into the rings that are there. The kernel's part is as in *KERNEL. */
static bool add_thread(struct rings *r, pid_t tid, struct perf_event_attr *attr, bool kernel,
		       struct str *err)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	attr->exclude_kernel = !kernel;
	for (int cpu = 0, at = 0; cpu < cpus && at < r->count; cpu++) {
		int fd =
		    (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

		if (fd < 0 && errno == ENODEV)
			continue;
		if (fd < 0)
			return fail_to_sample(err);
		*memory_next(r->more, r->more_count, r->more_room) = fd;
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->list[at++].fd))
			return fail_to_sample(err);
	}
	return true;
}

bool rings_add(struct rings **r, pid_t tid, bool on_exec, uint64_t period_ns, uint32_t stack_bytes,
	       bool *kernel, struct str *err)
{
	struct perf_event_attr attr = make_attr(on_exec, true, period_ns, stack_bytes);

	attr.task = attr.comm = attr.comm_exec = 1;
	if (*r)
		return add_thread(*r, tid, &attr, *kernel, err);
	*r = open_all(tid, attr, kernel, err);
	return *r != NULL;
}

uint64_t rings_time(const struct perf_event_header *record)
{
	uint64_t time;

	if (record->type == PERF_RECORD_SAMPLE)
		return ((const struct rings_sample *)(const void *)record)->time;
	memcpy(&time, (const char *)record + record->size - sizeof(time), sizeof(time));
	return time;
}

void rings_close(struct rings *r)
{
	for (int i = 0; i < r->count; i++)
		close_ring(&r->list[i]);
	for (size_t i = 0; i < r->more_count; i++)
		close(r->more[i]);
	free(r->more);
	free(r->bytes);
	free(r->waiting);
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

/* Hands out the records from FROM to HEAD, and leaves them in the ring. */
static void read_ring(struct rings *all, const struct ring *r, uint64_t from, uint64_t head,
		      rings_take_fn *take, void *context)
{
	const char *data = (const char *)r->page + getpagesize();
	size_t size;

	for (uint64_t at = from; at < head; at += size) {
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

static void keep_record(void *context, const struct perf_event_header *record)
{
	struct rings *r = context;
	size_t size = (record->size + 7u) & ~(size_t)7;

	if (!r->bytes || r->used + size > r->room) {
		r->room = 2 * (r->used + size);
		r->bytes = memory_resize(r->bytes, r->room, 1);
	}
	memcpy(r->bytes + r->used, record, record->size);
	*memory_next(r->waiting, r->waiting_count, r->waiting_room) =
	    (struct waiting){rings_time(record), r->used};
	r->used += size;
}

/* Earlier records first; of one time, in the order in which they were read. */
static int compare_waiting(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void keep_map(void *rings, const struct perf_event_header *record)
{
	if (record->type == PERF_RECORD_MMAP)
		keep_record(rings, record);
}

/*
 * A mapping may be in the ring of another processor than its samples. So all rings are read for
 * mappings first, and further than they are read for samples. And a process may have become a second
 * program on another processor, with mappings where those of the first were: so their times count.
 */
void rings_drain(struct rings *r, rings_take_fn *map, rings_take_fn *other, void *context)
{
	uint64_t heads[CPUS_MAX];

	for (int i = 0; i < r->count; i++)
		heads[i] = head_of(&r->list[i]);
	for (int i = 0; i < r->count; i++) {
		uint64_t head = head_of(&r->list[i]);

		read_ring(r, &r->list[i], r->list[i].mapped, head, keep_map, r);
		r->list[i].mapped = head;
	}
	if (r->waiting_count)
		qsort(r->waiting, r->waiting_count, sizeof(*r->waiting), compare_waiting);
	for (size_t i = 0; i < r->waiting_count; i++)
		map(context, (const void *)(r->bytes + r->waiting[i].at));
	r->used = r->waiting_count = 0;
	for (int i = 0; i < r->count; i++) {
		read_ring(r, &r->list[i], r->list[i].page->data_tail, heads[i], other, context);
		__atomic_store_n(&r->list[i].page->data_tail, heads[i], __ATOMIC_RELEASE);
	}
}

/* Moves the records from number FIRST on to the front. */
static void keep_rest(struct rings *r, size_t first)
{
	char *bytes = r->bytes;
	size_t count = r->waiting_count;

	r->bytes = NULL;
	r->used = r->room = r->waiting_count = 0;
	for (size_t i = first; i < count; i++)
		keep_record(r, (const void *)(bytes + r->waiting[i].at));
	free(bytes);
}

void rings_drain_ordered(struct rings *r, bool last, rings_take_fn *take, void *context)
{
	uint64_t until = last ? UINT64_MAX : r->latest;
	size_t i = 0;

	for (int k = 0; k < r->count; k++) {
		uint64_t head = head_of(&r->list[k]);

		read_ring(r, &r->list[k], r->list[k].page->data_tail, head, keep_record, r);
		__atomic_store_n(&r->list[k].page->data_tail, head, __ATOMIC_RELEASE);
	}
	if (!r->waiting_count)
		return;
	qsort(r->waiting, r->waiting_count, sizeof(*r->waiting), compare_waiting);
	r->latest = r->waiting[r->waiting_count - 1].time;
	for (; i < r->waiting_count && r->waiting[i].time <= until; i++)
		take(context, (const void *)(r->bytes + r->waiting[i].at));
	keep_rest(r, i);
}
