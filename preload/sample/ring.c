/* SPDX-License-Identifier: MIT */
/*
 * ring.c - see ring.h. The layout of the kernel's notes is that of perf_event_open(2), "MMAP layout", for
 * the sample_type that ring_open() asks for.
 */
#define _GNU_SOURCE
#include "preload/sample/ring.h"

#include "preload/base/sys.h"
#include "preload/sample/timer.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <time.h>

#define PAGE       4096u
#define DATA_BYTES PAGE
#define RING_BYTES (PAGE + DATA_BYTES)

/* The kernel's number of the register (asm/perf_regs.h, PERF_REG_X86_IP). */
#define REGISTER_IP 8

const volatile uint64_t ring_silence = 0;

struct sample {
	struct perf_event_header header;
	uint64_t ip, time, cpu_ns;
	uint64_t abi, user_ip; /* only with_kernel */
};

struct switched {
	struct perf_event_header header;
	uint64_t time;
};

struct lost {
	struct perf_event_header header;
	uint64_t id, lost;
};

static struct perf_event_mmap_page *page_of(const struct ring *ring)
{
	return (struct perf_event_mmap_page *)ring->memory;
}

/*
 * Nobody waits for the notes, so nobody need be woken: at half a ring the kernel would send itself
 * an interrupt for that.
 */
static struct perf_event_attr wanted(uint64_t period_ns, bool with_kernel)
{
	return (struct perf_event_attr){
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(struct perf_event_attr),
	    .config = PERF_COUNT_SW_TASK_CLOCK,
	    .sample_period = period_ns,
	    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_READ |
			   (with_kernel ? (uint64_t)PERF_SAMPLE_REGS_USER : 0),
	    .sample_regs_user = with_kernel ? 1u << REGISTER_IP : 0,
	    .exclude_kernel = !with_kernel,
	    .exclude_hv = 1,
	    .context_switch = 1,
	    .sample_id_all = 1,
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	    .watermark = 1,
	    .wakeup_watermark = UINT32_MAX,
	};
}

static void map_nothing(char *at, int how)
{
	sys6(SYS_mmap, at, RING_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | how,
	     -1, 0);
}

/* AT: where to map it, in the place of what is there; NULL: anywhere. */
static long map_event(struct ring *ring, uint64_t period_ns, uint32_t most, char *at)
{
	struct perf_event_attr attr = wanted(period_ns, ring->by == ZPROF_SAMPLER_KERNEL);
	long fd = sys6(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0), memory;

	if (SYS_FAILED(fd))
		return fd;
	memory = sys6(SYS_mmap, at, RING_BYTES, PROT_READ | PROT_WRITE,
		      at ? MAP_SHARED | MAP_FIXED : MAP_SHARED, fd, 0);
	if (most)
		sys3(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, most);
	sys1(SYS_close, fd);
	if (SYS_FAILED(memory)) {
		if (at) /* what was there may be gone */
			map_nothing(at, MAP_FIXED_NOREPLACE);
		return memory;
	}
	ring->tail = 0;
	ring->memory = (char *)memory;
	ring->head = (const volatile uint64_t *)&page_of(ring)->data_head;
	return 0;
}

/* A handler that jumps out would leave a descriptor, or a tail that belongs to another head. */
static long open_kernels(struct ring *ring, uint64_t period_ns, uint32_t most, char *at)
{
	uint64_t signals = sys_block_signals();
	long r = map_event(ring, period_ns, most, at);

	sys_restore_signals(signals);
	return r;
}

long ring_open(struct ring *ring, uint64_t period_ns, uint32_t most, enum zprof_sampler by)
{
	ring->by = by;
	return by == ZPROF_SAMPLER_TIMER ? timer_open(ring, period_ns)
					 : open_kernels(ring, period_ns, most, NULL);
}

/* Nothing writes there any more. */
static void silence(struct ring *ring)
{
	map_nothing(ring->memory, MAP_FIXED);
	ring->tail = 0;
}

long ring_reopen(struct ring *ring, uint64_t period_ns, uint32_t most, enum zprof_sampler by)
{
	long r;

	ring->by = by;
	r = open_kernels(ring, period_ns, most, ring->memory);
	if (r)
		silence(ring);
	return r;
}

/* It is forgotten first: who jumps out of here must not leave what is gone behind. */
void ring_close(struct ring *ring)
{
	char *memory = ring->memory;

	if (memory && ring->by == ZPROF_SAMPLER_TIMER)
		timer_close(ring);
	ring_forget(ring);
	cpu_barrier();
	if (memory && ring->by != ZPROF_SAMPLER_TIMER)
		sys2(SYS_munmap, memory, RING_BYTES);
}

void ring_forget(struct ring *ring)
{
	ring->memory = NULL;
	ring->head = &ring_silence;
	ring->tail = 0;
}

/* A note may go on at the ring's beginning. Its parts are words. */
static uint64_t word_at(const struct ring *ring, uint64_t at)
{
	return *(const uint64_t *)(ring->memory + PAGE + at % DATA_BYTES);
}

static void copy(const struct ring *ring, uint64_t *to, uint64_t bytes)
{
	uint64_t i;

	for (i = 0; i < bytes / sizeof(*to); i++)
		to[i] = word_at(ring, ring->tail + i * sizeof(*to));
}

static void read_sample(const struct ring *ring, struct ring_note *note,
			const struct perf_event_header *header)
{
	struct sample s = {.abi = 0};

	copy(ring, (uint64_t *)&s, sizeof(s) < header->size ? sizeof(s) : header->size);
	note->kind = RING_SAMPLE;
	note->in_kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	note->ip = note->in_kernel ? s.user_ip : s.ip;
	note->time_ns = s.time;
	note->cpu_ns = s.cpu_ns;
}

static void read_switch(const struct ring *ring, struct ring_note *note,
			const struct perf_event_header *header)
{
	struct switched s;

	copy(ring, (uint64_t *)&s, sizeof(s));
	note->time_ns = s.time;
	if (!(header->misc & PERF_RECORD_MISC_SWITCH_OUT))
		note->kind = RING_BACK;
	else if (header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
		note->kind = RING_LOST_IT;
	else
		note->kind = RING_LEFT;
}

static void read_lost(const struct ring *ring, struct ring_note *note)
{
	struct lost l;

	copy(ring, (uint64_t *)&l, sizeof(l));
	note->kind = RING_LOST;
	note->lost = l.lost;
}

static void read_kernels(struct ring *ring, struct ring_note *note)
{
	uint64_t head = __atomic_load_n(ring->head, __ATOMIC_ACQUIRE);
	struct perf_event_header header;

	note->kind = RING_NOTHING;
	if (ring->tail == head)
		return;
	copy(ring, (uint64_t *)&header, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE)
		read_sample(ring, note, &header);
	else if (header.type == PERF_RECORD_SWITCH)
		read_switch(ring, note, &header);
	else if (header.type == PERF_RECORD_LOST)
		read_lost(ring, note);
	else
		note->kind = RING_OTHER;
	ring->tail += header.size;
}

void ring_read(struct ring *ring, struct ring_note *note)
{
	if (ring->by == ZPROF_SAMPLER_TIMER)
		timer_read(ring, note);
	else
		read_kernels(ring, note);
}

void ring_done(struct ring *ring)
{
	if (ring->by == ZPROF_SAMPLER_TIMER)
		timer_done(ring);
	else
		__atomic_store_n(&page_of(ring)->data_tail, ring->tail, __ATOMIC_RELEASE);
}

bool ring_is_full(const struct ring *ring)
{
	if (ring->by == ZPROF_SAMPLER_TIMER)
		return timer_is_full(ring);
	return ring->tail - page_of(ring)->data_tail >= DATA_BYTES - sizeof(struct sample);
}
