/* SPDX-License-Identifier: MIT */
/* notes_kernel.c - see notes_kernel.h. Here are the functions by which the library asks the kernel. */
#include "tests/sample/notes_kernel.h"

#include "preload/sample/event.h"

#include <errno.h>
#include <string.h>
#include <time.h>

struct kernel kernel;

/* Rings, each with its page in front. */
static char samples_memory[SYS_PAGE_MOST + 262144] __attribute__((aligned(4096)));
static char blocked_memory[SYS_PAGE_MOST + 65536] __attribute__((aligned(4096)));

void kernel_begin(void)
{
	kernel = (struct kernel){.now_ns = KERNEL_BEGAN_NS};
}

/* ---- what the library asks for */

uint64_t __wrap_sys_clock_ns(int clock);
void __wrap_tick_pair(uint64_t *ticks, uint64_t *ns);
uint64_t __wrap_tick_now(void);
void __wrap_counted_switches(uint64_t *waits, uint64_t *preemptions);
uint64_t __wrap_counted_queue_ns(void);
bool __wrap_signal_is_blocked(void);
long __wrap_event_map(const struct perf_event_attr *attr, uint32_t room, uint32_t most,
		      char **memory);
void __wrap_event_unmap(char *memory, uint32_t room);
void __wrap_event_silence(char *memory, uint32_t room);
void __real_event_copy(const char *memory, uint32_t room, uint64_t at, void *to, uint64_t bytes);
void __wrap_event_copy(const char *memory, uint32_t room, uint64_t at, void *to, uint64_t bytes);

uint64_t __wrap_sys_clock_ns(int clock)
{
	kernel_met(clock == CLOCK_MONOTONIC ? KERNEL_CLOCK : KERNEL_CPU);
	return clock == CLOCK_MONOTONIC ? kernel.now_ns : kernel.cpu_ns;
}

void __wrap_tick_pair(uint64_t *ticks, uint64_t *ns)
{
	kernel_met(KERNEL_TICKS);
	*ns = kernel.now_ns;
	*ticks = kernel.now_ns * KERNEL_TICKS_PER_NS;
}

uint64_t __wrap_tick_now(void)
{
	return kernel.now_ns * KERNEL_TICKS_PER_NS;
}

void __wrap_counted_switches(uint64_t *waits, uint64_t *preemptions)
{
	kernel_met(KERNEL_SWITCHES);
	*waits = kernel.waits;
	*preemptions = kernel.preemptions;
}

uint64_t __wrap_counted_queue_ns(void)
{
	kernel_met(KERNEL_QUEUE);
	return kernel.queued_ns;
}

bool __wrap_signal_is_blocked(void)
{
	return kernel.masked;
}

static void open_samples(const struct perf_event_attr *attr, uint32_t room, uint32_t most)
{
	memset(samples_memory, 0, sizeof(samples_memory));
	kernel.room = room;
	kernel.most = most;
	kernel.noted = 0;
	kernel.stack_bytes = attr->sample_stack_user;
	kernel.with_kernel = !attr->exclude_kernel;
	kernel.opened_ns = kernel.sampled_ns;
	kernel.lost = 0;
	kernel.rings++;
}

long __wrap_event_map(const struct perf_event_attr *attr, uint32_t room, uint32_t most,
		      char **memory)
{
	bool of_samples = attr->config == PERF_COUNT_SW_TASK_CLOCK;

	kernel_met(KERNEL_OPEN);
	if (kernel.refusals && kernel.refusals--)
		return -kernel.refuse;
	if (of_samples && attr->sample_stack_user && kernel.refuses_stacks)
		return -EINVAL;
	if (of_samples) {
		open_samples(attr, room, most);
	} else {
		memset(blocked_memory, 0, sizeof(blocked_memory));
		kernel.blocked_room = room;
		kernel.blocked_stack = attr->sample_stack_user;
	}
	*memory = of_samples ? samples_memory : blocked_memory;
	return 0;
}

void __wrap_event_unmap(char *memory, uint32_t room)
{
	(void)room;
	if (memory == samples_memory)
		kernel.room = 0;
	else
		kernel.blocked_room = 0;
}

void __wrap_event_silence(char *memory, uint32_t room)
{
	memset(memory, 0, sys_page_bytes() + room);
	kernel.room = 0;
}

void __wrap_event_copy(const char *memory, uint32_t room, uint64_t at, void *to, uint64_t bytes)
{
	if (memory == samples_memory)
		kernel_met(KERNEL_READ);
	__real_event_copy(memory, room, at, to, bytes);
}

/* ---- what it writes */

static void copy_in(char *memory, uint32_t room, const void *from, uint32_t bytes)
{
	struct perf_event_mmap_page *page = event_page(memory);
	uint32_t i;

	for (i = 0; i < bytes; i++)
		event_notes(memory)[(page->data_head + i) % room] = ((const char *)from)[i];
	page->data_head += bytes;
}

/* As the kernel reckons it (CIRC_SPACE): a byte always stays free. */
static bool has_room(const char *memory, uint32_t room, uint32_t bytes)
{
	const struct perf_event_mmap_page *page = event_page(memory);

	return ((page->data_tail - page->data_head - 1) & (room - 1)) >= bytes;
}

static bool writes(void)
{
	return kernel.room && (!kernel.most || kernel.noted < kernel.most);
}

void kernel_write(const void *note, uint32_t bytes)
{
	const struct {
		struct perf_event_header header;
		uint64_t id, lost, time;
	} lost = {{PERF_RECORD_LOST, 0, 32}, 1, kernel.lost, kernel.now_ns};
	uint32_t all = bytes + (kernel.lost ? (uint32_t)sizeof(lost) : 0);

	if (!writes())
		return;
	if (!has_room(samples_memory, kernel.room, all)) {
		kernel.lost++;
		return;
	}
	if (kernel.lost)
		copy_in(samples_memory, kernel.room, &lost, sizeof(lost));
	kernel.lost = 0;
	copy_in(samples_memory, kernel.room, note, bytes);
}

void kernel_write_torn(uint32_t bytes, uint32_t said)
{
	const struct {
		struct perf_event_header header;
		uint64_t ip, time, cpu_ns, abi, user_ip;
	} sample = {{PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, (uint16_t)said},
		    KERNEL_IN_PROGRAM,
		    kernel.now_ns,
		    kernel.sampled_ns - kernel.opened_ns,
		    2,
		    KERNEL_IN_PROGRAM};

	kernel_write(&sample, bytes);
}

/* (Of a stack that cannot be read, the kernel writes zeros, and that it has filled none.) */
static void write_carrier(uintptr_t ip, bool in_kernel)
{
	static struct {
		struct perf_event_header header;
		uint64_t ip, time, cpu_ns, abi, bp, sp, user_ip, bytes, rest[1024];
	} sample;
	uint32_t words = kernel.stack_bytes / 8, i;

	sample.header = (struct perf_event_header){
	    PERF_RECORD_SAMPLE, in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	    (uint16_t)(offsetof(__typeof__(sample), rest) + kernel.stack_bytes + 8)};
	sample.ip = in_kernel ? (uint64_t)-4096 : ip;
	sample.time = kernel.now_ns;
	sample.cpu_ns = kernel.sampled_ns - kernel.opened_ns;
	sample.abi = 2;
	sample.bp = KERNEL_BP;
	sample.sp = KERNEL_SP;
	sample.user_ip = ip;
	sample.bytes = kernel.stack_bytes;
	for (i = 0; i < words; i++)
		sample.rest[i] = kernel.place;
	sample.rest[words] = kernel.place ? kernel.stack_bytes : 0;
	kernel_write(&sample, sample.header.size);
	kernel.noted++;
}

void kernel_sample(uintptr_t ip, bool in_kernel)
{
	const struct {
		struct perf_event_header header;
		uint64_t ip, time, cpu_ns, abi, user_ip;
	} sample = {{PERF_RECORD_SAMPLE,
		     in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		     kernel.with_kernel ? 48 : 32},
		    in_kernel ? (uint64_t)-4096 : ip,
		    kernel.now_ns,
		    kernel.sampled_ns - kernel.opened_ns,
		    2,
		    ip};

	if (kernel.stack_bytes) {
		write_carrier(ip, in_kernel);
		return;
	}
	kernel_write(&sample, sample.header.size);
	kernel.noted++;
}

static void write_switch(uint16_t misc)
{
	const struct {
		struct perf_event_header header;
		uint64_t time;
	} note = {{PERF_RECORD_SWITCH, misc, 16}, kernel.now_ns};

	kernel_write(&note, sizeof(note));
}

/* Registers and a long stack. */
static void write_place(uintptr_t ip)
{
	static struct {
		struct perf_event_header header;
		uint64_t time, abi, ax, dx, si, di, bp, sp, ip, stack_bytes, rest[256];
	} note;
	uint32_t words = kernel.blocked_stack / 8, i;

	note.header = (struct perf_event_header){
	    PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL,
	    (uint16_t)(offsetof(__typeof__(note), rest) + kernel.blocked_stack + 8)};
	note.time = kernel.now_ns;
	note.abi = 2;
	note.bp = KERNEL_BP;
	note.sp = KERNEL_SP;
	note.ip = ip;
	note.stack_bytes = kernel.blocked_stack;
	for (i = 0; i < words; i++)
		note.rest[i] = kernel.place;
	note.rest[words] = kernel.place ? kernel.blocked_stack : 0;
	if (kernel.blocked_room && has_room(blocked_memory, kernel.blocked_room, note.header.size))
		copy_in(blocked_memory, kernel.blocked_room, &note, note.header.size);
}

static void write_registers(uintptr_t ip, bool in_call)
{
	const struct {
		struct perf_event_header header;
		uint64_t time, abi, ax, dx, si, di, ip, stack_bytes, stack[8], filled;
	} note = {.header = {PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, sizeof(note)},
		  .time = kernel.now_ns,
		  .abi = 2,
		  .ax = in_call ? (uint64_t)-ENOSYS : 0,
		  .ip = ip,
		  .stack_bytes = 64,
		  .filled = 64};

	if (kernel.blocked_stack > note.stack_bytes)
		write_place(ip);
	else if (kernel.blocked_room && has_room(blocked_memory, kernel.blocked_room, sizeof(note)))
		copy_in(blocked_memory, kernel.blocked_room, &note, sizeof(note));
}

/* (Registers come first, as for the real one.) */
void kernel_leaves(bool preempted, uintptr_t ip, bool in_call)
{
	kernel.waits += !preempted;
	kernel.preemptions += preempted;
	write_registers(ip, in_call);
	write_switch((uint16_t)(PERF_RECORD_MISC_SWITCH_OUT |
				(preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0)));
}

void kernel_returns(void)
{
	write_switch(0);
}
