/* SPDX-License-Identifier: MIT */
/* blocked.c - see blocked.h. */
#include "preload/sample/blocked.h"

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
#define REGISTER_IP 8

struct note {
	struct perf_event_header header;
	uint64_t time;
	uint64_t abi; /* 0: there are no registers */
	uint64_t ax, dx, si, di, ip;
	uint64_t stack_bytes; /* 0: there is no stack, and no member below */
	uint64_t stack[BLOCKED_STACK];
	uint64_t stack_filled;
};

bool blocked_open(struct blocked *b, uint32_t room)
{
	const struct perf_event_attr attr = {
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(attr),
	    .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
	    .sample_period = 1,
	    .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	    .sample_stack_user = sizeof(((struct note *)0)->stack),
	    .sample_regs_user = 1u << REGISTER_AX | 1u << REGISTER_DX | 1u << REGISTER_SI |
				1u << REGISTER_DI | 1u << REGISTER_IP,
	    .exclude_hv = 1,
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	    .watermark = 1, /* no wake-ups are needed (ring.c) */
	    .wakeup_watermark = UINT32_MAX,
	};
	uint64_t signals = sys_block_signals();
	long r;

	*b = (struct blocked){.room = room};
	r = event_map(&attr, room, 0, &b->memory);
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

/*
 * Makes *at of a note. During a system call, the register that held the call's number holds the
 * result; until there is a result, -ENOSYS ("no such call").
 */
static void tell(const struct note *n, struct blocked_at *at)
{
	*at = (struct blocked_at){.time_ns = n->time,
				  .ip = n->abi ? n->ip : 0,
				  .argument = {n->di, n->si, n->dx},
				  .in_call = n->abi && n->ax == (uint64_t)-ENOSYS};
	if (n->abi && n->stack_bytes == sizeof(n->stack) && n->stack_filled == n->stack_bytes)
		cpu_copy(at->stack, n->stack, sizeof(at->stack));
}

bool blocked_find(struct blocked *b, uint64_t after_ns, uint64_t until_ns, struct blocked_at *at)
{
	struct perf_event_mmap_page *page = event_page(b->memory);
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	struct note note;
	bool found = false;

	while (b->tail != head) {
		event_copy(b->memory, b->room, b->tail, &note.header, sizeof(note.header));
		if (note.header.size > sizeof(note) || note.header.type != PERF_RECORD_SAMPLE) {
			b->tail += note.header.size;
			continue;
		}
		note = (struct note){.abi = 0};
		event_copy(b->memory, b->room, b->tail, &note, sizeof(note));
		if (note.time > until_ns)
			break;
		b->tail += note.header.size;
		tell(&note, at);
		found = note.time >= after_ns;
	}
	__atomic_store_n(&page->data_tail, b->tail, __ATOMIC_RELEASE);
	return found;
}
