/* SPDX-License-Identifier: MIT */
/* blocked.c - see blocked.h. */
#include "preload/sample/blocked.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/sample/event.h"

#include <time.h>

/* The registers of a note. */
#define REGISTERS                                                                                  \
	(EVENT_REGISTER(CPU_PERF_CALL) | EVENT_REGISTER(CPU_PERF_ARGUMENT_0) |                     \
	 EVENT_REGISTER(CPU_PERF_ARGUMENT_1) | EVENT_REGISTER(CPU_PERF_ARGUMENT_2) |               \
	 EVENT_REGISTER(CPU_PERF_AT))
#define MORE_REGISTERS                                                                             \
	(REGISTERS | EVENT_REGISTER(CPU_PERF_FRAME_POINTER) | EVENT_REGISTER(CPU_PERF_LINK) |      \
	 EVENT_REGISTER(CPU_PERF_STACK_POINTER))

/*
 * A note is its head, the registers that were asked for, how many bytes of the stack there are, these
 * bytes, and how many of them were filled.
 */
struct head {
	struct perf_event_header header;
	uint64_t time;
	uint64_t abi; /* 0: there are no registers */
};

/* With a long stack, the note has more registers. */
static uint64_t registers_of(const struct blocked *b)
{
	return b->stack ? MORE_REGISTERS : REGISTERS;
}

static unsigned registers_count(const struct blocked *b)
{
	return EVENT_REGISTERS(registers_of(b));
}

bool blocked_open(struct blocked *b, uint32_t room, uintptr_t *stack)
{
	const struct perf_event_attr attr = {
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(attr),
	    .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
	    .sample_period = 1,
	    .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	    .sample_stack_user = stack ? BLOCKED_LONG_STACK : BLOCKED_STACK * sizeof(uint64_t),
	    .sample_regs_user = stack ? MORE_REGISTERS : REGISTERS,
	    .exclude_hv = 1,
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	    .watermark = 1, /* no wake-ups are needed (ring.c) */
	    .wakeup_watermark = UINT32_MAX,
	};
	uint64_t signals;
	long r;

	*b = (struct blocked){.room = event_room(room), .stack = stack};
	signals = sys_block_signals();
	r = event_map(&attr, b->room, 0, &b->memory);
	sys_restore_signals(signals);
	return r == 0;
}

void blocked_close(struct blocked *b)
{
	char *memory = b->memory;

	b->memory = NULL;
	cpu_barrier();
	if (memory)
		event_unmap(memory, b->room);
}

static void copy(const struct blocked *b, uint64_t offset, void *to, uint64_t bytes)
{
	event_copy(b->memory, b->room, b->tail + offset, to, bytes);
}

/* Reads the stack of the note at the tail, which begins at `offset` there. */
static void read_stack(struct blocked *b, uint64_t offset, uint64_t bytes, struct blocked_at *at)
{
	uint64_t most = b->stack ? BLOCKED_LONG_STACK : sizeof(at->stack), filled;

	if (!bytes || bytes > most || bytes % sizeof(uint64_t))
		return;
	copy(b, offset + bytes, &filled, sizeof(filled));
	filled = filled < bytes ? filled & ~7u : bytes;
	if (b->stack) {
		copy(b, offset, b->stack, filled);
		b->stack_bytes = (uint32_t)filled;
	}
	if (filled >= sizeof(at->stack))
		copy(b, offset, at->stack, sizeof(at->stack));
}

/* Makes *at of the note at the tail. */
static void tell(struct blocked *b, const struct head *head, struct blocked_at *at)
{
	uint64_t r[EVENT_REGISTERS(MORE_REGISTERS) + 1], bytes = sizeof(*r) * registers_count(b);
	const uint64_t has = registers_of(b);

	*at = (struct blocked_at){.time_ns = head->time};
	b->stack_bytes = 0;
	if (!head->abi)
		return;
	copy(b, sizeof(*head), r, bytes + sizeof(*r));
	at->ip = event_register(r, has, CPU_PERF_AT);
	at->sp = b->stack ? event_register(r, has, CPU_PERF_STACK_POINTER) : 0;
	at->bp = b->stack ? event_register(r, has, CPU_PERF_FRAME_POINTER) : 0;
	at->link = b->stack ? event_register(r, has, CPU_PERF_LINK) : 0;
	at->argument[0] = event_register(r, has, CPU_PERF_ARGUMENT_0);
	at->argument[1] = event_register(r, has, CPU_PERF_ARGUMENT_1);
	at->argument[2] = event_register(r, has, CPU_PERF_ARGUMENT_2);
	at->call = event_register(r, has, CPU_PERF_CALL);
	at->in_call = CPU_CALL_IS_MADE(at->call);
	read_stack(b, sizeof(*head) + bytes + sizeof(*r), r[registers_count(b)], at);
}

/* The size of the longest note. */
static uint64_t longest(const struct blocked *b)
{
	return sizeof(struct head) + sizeof(uint64_t) * (registers_count(b) + 2) +
	       (b->stack ? BLOCKED_LONG_STACK : BLOCKED_STACK * sizeof(uint64_t));
}

bool blocked_find(struct blocked *b, uint64_t after_ns, uint64_t until_ns, struct blocked_at *at)
{
	struct perf_event_mmap_page *page = event_page(b->memory);
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	struct head note;
	bool found = false;

	while (b->tail != head) {
		event_copy(b->memory, b->room, b->tail, &note.header, sizeof(note.header));
		if (note.header.size > longest(b) || note.header.type != PERF_RECORD_SAMPLE) {
			b->tail += note.header.size;
			continue;
		}
		event_copy(b->memory, b->room, b->tail, &note, sizeof(note));
		if (note.time > until_ns)
			break;
		tell(b, &note, at);
		b->tail += note.header.size;
		found = note.time >= after_ns;
	}
	__atomic_store_n(&page->data_tail, b->tail, __ATOMIC_RELEASE);
	return found;
}
