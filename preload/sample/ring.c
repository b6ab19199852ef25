/* SPDX-License-Identifier: MIT */
/*
 * ring.c - see ring.h. The layout of the kernel's notes is that of perf_event_open(2), "MMAP
 * layout", for the sample_type that ring_open() asks for.
 */
#define _GNU_SOURCE
#include "preload/sample/ring.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/sample/event.h"
#include "preload/sample/kept.h"
#include "preload/sample/timer.h"

#include <time.h>

const volatile uint64_t ring_silence = 0;

/*
 * A sample, or another event. In a ring with labels, the event's id stands before `ip`, and the
 * processor's number behind `time`. An event with a read_format has two times more behind `count`.
 * read_body() leaves all these out.
 */
struct sample {
	struct perf_event_header header;
	uint64_t ip, time;
	uint64_t count;        /* CPU time in nanoseconds, or events */
	uint64_t abi, user_ip; /* only with_kernel */
};

/* In a ring that carries stacks. */
#define CARRIED                                                                                    \
	(EVENT_REGISTER(CPU_PERF_FRAME_POINTER) | EVENT_REGISTER(CPU_PERF_LINK) |                  \
	 EVENT_REGISTER(CPU_PERF_STACK_POINTER) | EVENT_REGISTER(CPU_PERF_AT))

struct carrier {
	struct perf_event_header header;
	uint64_t ip, time, count;
	uint64_t abi; /* 0: there are no registers */
	uint64_t registers[EVENT_REGISTERS(CARRIED)];
	uint64_t bytes; /* of the stack: behind this struct, and then the number that was filled */
};

struct switched {
	struct perf_event_header header;
	uint64_t time;
	uint64_t cpu; /* in a ring with labels */
};

#define LABELS_BYTES 16u /* of a sample with labels */
#define TIMES_BYTES  16u /* of an event with times */

struct lost {
	struct perf_event_header header;
	uint64_t id, lost;
};

/*
 * The event that is asked for. Its watermark is never reached: no thread waits for the notes, and
 * at half a ring the kernel would send itself an interrupt to wake one.
 */
static struct perf_event_attr wanted(const struct ring *ring)
{
	bool with_kernel = ring->by == ZPROF_SAMPLER_KERNEL, stack = ring->stack_bytes != 0;

	return (struct perf_event_attr){
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(struct perf_event_attr),
	    .config = PERF_COUNT_SW_TASK_CLOCK,
	    .sample_period = ring->period_ns,
	    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_READ |
			   (ring->labels ? PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CPU : 0) |
			   (with_kernel || stack ? (uint64_t)PERF_SAMPLE_REGS_USER : 0) |
			   (stack ? (uint64_t)PERF_SAMPLE_STACK_USER : 0),
	    .sample_regs_user = stack         ? CARRIED
				: with_kernel ? EVENT_REGISTER(CPU_PERF_AT)
					      : 0,
	    .sample_stack_user = ring->stack_bytes,
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

/*
 * Of the stack of an event beside only the first words are noted, which lead from a function of the C
 * library that has no callees to its caller (series.h has the figures). A note then takes 336 bytes,
 * and many may come before the next hook.
 */
#define BESIDE_STACK 256u

static uint32_t beside_stack(const struct ring *ring)
{
	return ring->stack_bytes < BESIDE_STACK ? ring->stack_bytes : BESIDE_STACK;
}

/*
 * Opens the event of samples, and those beside. (Apart from map(), because programs without events=
 * need not have room for all on their stacks.)
 */
static __attribute__((noinline)) long map_with_besides(struct ring *ring)
{
	struct event_besides besides = {.each = ring->beside,
					.count = ring->beside_count,
					.stack_bytes = beside_stack(ring),
					.kept = ring->kept};
	struct perf_event_attr attr = wanted(ring);
	long r;

	kept_release(ring->kept_by);
	r = event_map_besides(&attr, ring->room, ring->most, &ring->memory, &besides);
	ring->kept_by = besides.page;
	return r;
}

static long map(struct ring *ring)
{
	struct perf_event_attr attr = wanted(ring);

	return event_map(&attr, ring->room, ring->most, &ring->memory);
}

/*
 * Signals are blocked, because a handler that jumps out would leave a descriptor open, or the tail
 * of the old ring with the head of the new.
 */
static long open_kernels(struct ring *ring)
{
	uint64_t signals = sys_block_signals();
	long r;

	ring->room = event_room(ring->room);
	r = ring->beside_count ? map_with_besides(ring) : map(ring);
	if (!r) {
		ring->tail = 0;
		ring->head = (const volatile uint64_t *)&event_page(ring->memory)->data_head;
	}
	sys_restore_signals(signals);
	return r;
}

static void describe(struct ring *ring, uint64_t period_ns, uint32_t most, enum zprof_sampler by)
{
	ring->by = by;
	ring->period_ns = period_ns;
	ring->most = most;
	ring->taken = 0;
}

long ring_open(struct ring *ring, uint64_t period_ns, uint32_t most, enum zprof_sampler by)
{
	describe(ring, period_ns, most, by);
	return ring_is_timers(ring) ? timer_open(ring) : open_kernels(ring);
}

long ring_reopen(struct ring *ring, uint64_t period_ns, uint32_t most, enum zprof_sampler by)
{
	long r;

	describe(ring, period_ns, most, by);
	r = open_kernels(ring);
	if (r) {
		event_silence(ring->memory, ring->room);
		ring->tail = 0;
	}
	return r;
}

/*
 * The ring is forgotten before its memory is unmapped: a jump out of a handler here must not leave
 * a pointer to unmapped memory.
 */
void ring_close(struct ring *ring)
{
	char *memory = ring->memory, *kept_by = ring->kept_by;

	if (memory && ring_is_timers(ring))
		timer_close(ring);
	ring_forget(ring);
	cpu_barrier();
	kept_release(kept_by);
	if (memory && !ring_is_timers(ring))
		event_unmap(memory, ring->room);
}

void ring_forget(struct ring *ring)
{
	ring->memory = NULL;
	ring->kept_by = NULL;
	ring->head = &ring_silence;
	ring->tail = 0;
}

static void copy(const struct ring *ring, void *to, uint64_t bytes)
{
	event_copy(ring->memory, ring->room, ring->tail, to, bytes);
}

/*
 * Copies what stands at `at`, behind the labels, to `to`: the count, and the rest behind the event's
 * times.
 */
static void read_count(const struct ring *ring, struct ring_note *note, uint64_t at, void *to,
		       uint32_t bytes, uint32_t times_bytes)
{
	uint64_t times[2] = {0, 0}; /* the event was enabled; the processor counted it */
	const uint32_t count = sizeof(uint64_t);

	event_copy(ring->memory, ring->room, at, to, count);
	event_copy(ring->memory, ring->room, at + count, times, times_bytes);
	note->off_ns = times[0] > times[1] ? times[0] - times[1] : 0;
	event_copy(ring->memory, ring->room, at + count + times_bytes, (char *)to + count,
		   bytes - count);
}

/*
 * Copies the sample or other event at the tail, which has `size` bytes, to a struct of so many bytes,
 * without its labels and times. Returns how many bytes there are of the note, without these.
 */
static uint32_t read_body(const struct ring *ring, struct ring_note *note, uint32_t size, void *to,
			  uint32_t bytes)
{
	const uint32_t head = offsetof(struct sample, count);
	uint32_t times =
	    note->kind == RING_EVENT && ring->beside[note->beside].read_format ? TIMES_BYTES : 0;
	uint32_t more = LABELS_BYTES + times;
	uint64_t at = ring->tail + sizeof(uint64_t), cpu;

	if (!ring->labels || size < head + sizeof(uint64_t) + more) {
		copy(ring, to, bytes < size ? bytes : size);
		return size;
	}
	size -= more;
	bytes = bytes < size ? bytes : size;
	event_copy(ring->memory, ring->room, at, to, head);
	event_copy(ring->memory, ring->room, at + head, &cpu, sizeof(cpu));
	note->cpu = (uint32_t)cpu;
	read_count(ring, note, at + head + sizeof(cpu), (char *)to + head, bytes - head, times);
	return size;
}

/*
 * Copies the stack of the note at the tail, which begins at `at`, and of which there are `left`
 * bytes. Nothing is copied of a note that does not have what it says.
 */
static void copy_stack(const struct ring *ring, struct ring_note *note, uint64_t at, uint64_t left,
		       uint64_t bytes)
{
	uint64_t filled;

	if (bytes > ring->stack_bytes || bytes % sizeof(*ring->stack) ||
	    left < bytes + sizeof(filled))
		return;
	event_copy(ring->memory, ring->room, at, ring->stack, bytes);
	event_copy(ring->memory, ring->room, at + bytes, &filled, sizeof(filled));
	note->stack = ring->stack;
	note->stack_bytes = (uint32_t)(filled < bytes ? filled : bytes);
}

/* Returns the number in the note. */
static uint64_t read_carrier(const struct ring *ring, struct ring_note *note)
{
	struct carrier s = {.abi = 0};
	uint32_t size = read_body(ring, note, note->size, &s, sizeof(s));

	note->ip = note->in_kernel ? event_register(s.registers, CARRIED, CPU_PERF_AT) : s.ip;
	note->kernel_ip = s.ip;
	note->time_ns = s.time;
	if (size >= sizeof(s) && s.abi) {
		note->sp = event_register(s.registers, CARRIED, CPU_PERF_STACK_POINTER);
		note->bp = event_register(s.registers, CARRIED, CPU_PERF_FRAME_POINTER);
		note->link = event_register(s.registers, CARRIED, CPU_PERF_LINK);
		if (s.bytes)
			copy_stack(ring, note, ring->tail + note->size - (size - sizeof(s)),
				   size - sizeof(s), s.bytes);
	}
	return s.count;
}

static uint64_t read_plain(const struct ring *ring, struct ring_note *note, uint32_t size)
{
	struct sample s = {.abi = 0};

	read_body(ring, note, size, &s, sizeof(s));
	note->ip = note->in_kernel ? s.user_ip : s.ip;
	note->kernel_ip = s.ip;
	note->time_ns = s.time;
	return s.count;
}

/* Which event beside has this label; beside_count: none. */
static uint32_t beside_of(const struct ring *ring, uint64_t id)
{
	uint32_t i = 0;

	while (i < ring->beside_count && ring->beside[i].id != id)
		i++;
	return i;
}

/* A sample is of the ring's own event, or of one beside. */
static enum ring_kind kind_of(const struct ring *ring, struct ring_note *note)
{
	struct {
		struct perf_event_header header;
		uint64_t id;
	} s;

	if (!ring->beside_count)
		return RING_SAMPLE;
	copy(ring, &s, sizeof(s));
	note->beside = beside_of(ring, s.id);
	return note->beside < ring->beside_count ? RING_EVENT : RING_SAMPLE;
}

static void read_sample(const struct ring *ring, struct ring_note *note,
			const struct perf_event_header *header)
{
	uint64_t count;

	note->in_kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	note->kind = kind_of(ring, note);
	count = ring->stack_bytes ? read_carrier(ring, note) : read_plain(ring, note, header->size);
	if (note->kind == RING_EVENT)
		note->count = count;
	else
		note->cpu_ns = count;
}

static void read_throttle(const struct ring *ring, struct ring_note *note)
{
	struct {
		struct perf_event_header header;
		uint64_t time, id;
	} t;

	note->kind = RING_OTHER;
	if (!ring->beside_count)
		return;
	copy(ring, &t, sizeof(t));
	note->beside = beside_of(ring, t.id);
	if (note->beside < ring->beside_count)
		note->kind = RING_STOPPED;
}

static void read_switch(const struct ring *ring, struct ring_note *note,
			const struct perf_event_header *header)
{
	struct switched s;

	copy(ring, &s, ring->labels ? sizeof(s) : offsetof(struct switched, cpu));
	note->time_ns = s.time;
	note->cpu = ring->labels ? (uint32_t)s.cpu : note->cpu;
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

	copy(ring, &l, sizeof(l));
	note->kind = RING_LOST;
	note->lost = l.lost;
}

/*
 * The size of the note at the tail, of which no more than `left` bytes can be there. Two threads
 * that share thread-local storage may both have moved the tail, so that no note begins there: all
 * bytes left are then passed over.
 */
static uint32_t note_size(const struct perf_event_header *header, uint64_t left)
{
	return header->size >= sizeof(*header) && header->size <= left ? header->size
								       : (uint32_t)left;
}

static void read_kernels(struct ring *ring, struct ring_note *note)
{
	uint64_t head = __atomic_load_n(ring->head, __ATOMIC_ACQUIRE);
	struct perf_event_header header;

	note->kind = RING_NOTHING;
	if (ring->tail == head)
		return;
	copy(ring, &header, sizeof(header));
	note->size = note_size(&header, head - ring->tail);
	if (header.type == PERF_RECORD_SAMPLE)
		read_sample(ring, note, &header);
	else if (header.type == PERF_RECORD_SWITCH)
		read_switch(ring, note, &header);
	else if (header.type == PERF_RECORD_LOST)
		read_lost(ring, note);
	else if (header.type == PERF_RECORD_THROTTLE)
		read_throttle(ring, note);
	else
		note->kind = RING_OTHER;
}

void ring_read(struct ring *ring, struct ring_note *note)
{
	note->sp = 0;
	note->stack_bytes = 0;
	if (ring_is_timers(ring))
		timer_read(ring, note);
	else
		read_kernels(ring, note);
}

void ring_done(struct ring *ring, const struct ring_note *note)
{
	ring->tail += note->size;
	if (ring_is_timers(ring))
		timer_done(ring);
	else
		__atomic_store_n(&event_page(ring->memory)->data_tail, ring->tail,
				 __ATOMIC_RELEASE);
}

/* Of the largest sample, or event beside. */
static uint32_t sample_size(const struct ring *ring)
{
	uint32_t labels =
	    (ring->labels ? LABELS_BYTES : 0) + (ring->beside_count ? TIMES_BYTES : 0);

	return labels + (ring->stack_bytes ? (uint32_t)(sizeof(struct carrier) + ring->stack_bytes +
							sizeof(uint64_t))
					   : (uint32_t)sizeof(struct sample));
}

bool ring_is_full(const struct ring *ring)
{
	if (ring_is_timers(ring))
		return timer_is_full(ring);
	return *ring->head - event_page(ring->memory)->data_tail >= ring->room - sample_size(ring);
}

/* The shortest sample, which has no registers, gives the largest number of samples. */
bool ring_may_be_over(const struct ring *ring)
{
	uint32_t samples = (uint32_t)((*ring->head - ring->tail) / offsetof(struct sample, abi));

	return ring->most && ring->taken + samples >= ring->most;
}
