/* SPDX-License-Identifier: MIT */
/* blocked.c - see blocked.h. */
#include "preload/sample/blocked.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/sample/event.h"

#include <errno.h>
#include <time.h>

/*
 * The kernel's numbers of registers (asm/perf_regs.h). A note has the registers in the order of
 * these numbers.
 */
#define REGISTER_AX 0
#define REGISTER_DX 3
#define REGISTER_SI 4
#define REGISTER_DI 5
#define REGISTER_BP 6
#define REGISTER_SP 7
#define REGISTER_IP 8

/*
 * A note is its head, the registers that were asked for, how many bytes of the stack there are, these
 * bytes, and how many of them were filled.
 */
struct head {
	struct perf_event_header header;
	uint64_t time;
	uint64_t abi; /* 0: there are no registers */
};

struct registers {
	uint64_t ax, dx, si, di, ip, stack_bytes;
};

struct more_registers { /* with a long stack */
	uint64_t ax, dx, si, di, bp, sp, ip, stack_bytes;
};

bool blocked_open(struct blocked *b, uint32_t room, uintptr_t *stack)
{
	const struct perf_event_attr attr = {
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(attr),
	    .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
	    .sample_period = 1,
	    .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	    .sample_stack_user = stack ? BLOCKED_LONG_STACK : BLOCKED_STACK * sizeof(uint64_t),
	    .sample_regs_user = 1u << REGISTER_AX | 1u << REGISTER_DX | 1u << REGISTER_SI |
				1u << REGISTER_DI | 1u << REGISTER_IP |
				(stack ? 1u << REGISTER_BP | 1u << REGISTER_SP : 0),
	    .exclude_hv = 1,
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	    .watermark = 1, /* no wake-ups are needed (ring.c) */
	    .wakeup_watermark = UINT32_MAX,
	};
	uint64_t signals;
	long r;

	*b = (struct blocked){.room = event_room(room), .stack = stack};
	if (!CPU_PERF_SHOWS_CALLS)
		return false;
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

/*
 * Makes *at of the note at the tail. During a system call, the register that held the call's number
 * holds the result; until there is a result, -ENOSYS ("no such call").
 */
static void tell(struct blocked *b, const struct head *head, struct blocked_at *at)
{
	struct more_registers r = {.ip = 0};
	struct registers few;

	*at = (struct blocked_at){.time_ns = head->time};
	b->stack_bytes = 0;
	if (!head->abi)
		return;
	if (b->stack) {
		copy(b, sizeof(*head), &r, sizeof(r));
	} else {
		copy(b, sizeof(*head), &few, sizeof(few));
		r = (struct more_registers){.ax = few.ax,
					    .dx = few.dx,
					    .si = few.si,
					    .di = few.di,
					    .ip = few.ip,
					    .stack_bytes = few.stack_bytes};
	}
	at->ip = r.ip;
	at->sp = r.sp;
	at->bp = r.bp;
	at->argument[0] = r.di;
	at->argument[1] = r.si;
	at->argument[2] = r.dx;
	at->in_call = r.ax == (uint64_t)-ENOSYS;
	read_stack(b, sizeof(*head) + (b->stack ? sizeof(r) : sizeof(few)), r.stack_bytes, at);
}

/* The size of the longest note. */
static uint64_t longest(const struct blocked *b)
{
	return sizeof(struct head) + sizeof(uint64_t) +
	       (b->stack ? sizeof(struct more_registers) + BLOCKED_LONG_STACK
			 : sizeof(struct registers) + BLOCKED_STACK * sizeof(uint64_t));
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
