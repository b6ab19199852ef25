/* SPDX-License-Identifier: MIT */
/* waits.c - see waits.h. */
#include "preload/sample/waits.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/code/module.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/sample/blocked.h"
#include "preload/sample/locks.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"

#include <linux/futex.h>

#ifndef FUTEX_LOCK_PI2 /* since Linux 5.14 */
#define FUTEX_LOCK_PI2 13
#endif

#define FIRST_SLOTS 256u
/* The most records of a thread. Waits that would need another record are lost, and counted. */
#define MOST_RECORDS 65536u

#define PLACES 64u /* places of the latest calls that are remembered */

#define MOST_CALLS ZPROF_WAIT_ARM64 /* numbers of system calls are smaller */

struct place {
	uintptr_t ip, returns_to;
	bool outside; /* no call is made here */
	int32_t call; /* its number; -1: the number is on the stack, at `slot` */
	int32_t slot; /* in bytes from the stack pointer; -1: not known */
};

struct waits {
	uint32_t thread;
	struct blocked blocked;
	struct blocked_at at; /* where the thread last left the processor, if `known` */
	bool known;
	bool records;     /* offcpu=1; else places alone are wanted */
	uintptr_t *stack; /* for blocked.stack; NULL: no long stacks */
	uint64_t back_ns; /* when the thread last came back; UINT64_MAX: unknown */
	uint32_t mask, count;
	struct zprof_wait **slots; /* linear probing by node, place, call and lock */
	struct zprof_section *section;
	struct place places[PLACES];
};

struct waits *waits_new(struct process *p, uint32_t thread)
{
	struct waits *w = sys_memory(sizeof(*w));
	struct zprof_wait **slots = sys_memory(FIRST_SLOTS * sizeof(struct zprof_wait *));

	if (!w || !slots) {
		sys_memory_free(w, sizeof(*w));
		sys_memory_free(slots, FIRST_SLOTS * sizeof(struct zprof_wait *));
		losses_count(p, ZPROF_LOSS_WAITED, 1);
		return NULL;
	}
	w->records = p->options->offcpu;
	w->stack = p->entries_alone ? sys_memory(BLOCKED_LONG_STACK) : NULL;
	w->thread = thread;
	w->mask = FIRST_SLOTS - 1;
	w->slots = slots;
	return w;
}

void waits_begin(struct waits *w, bool roomy)
{
	w->back_ns = 0;
	w->known = false;
	if (!roomy || !blocked_open(&w->blocked, BLOCKED_ROOM, w->stack))
		blocked_open(&w->blocked, BLOCKED_LEAST_ROOM, w->stack);
}

void waits_end(struct waits *w)
{
	blocked_close(&w->blocked);
}

void waits_unknown(struct waits *w)
{
	w->back_ns = UINT64_MAX;
	w->known = false;
}

void waits_left(struct waits *w, uint64_t time_ns)
{
	w->known = w->blocked.memory && blocked_find(&w->blocked, w->back_ns, time_ns, &w->at);
}

void waits_back(struct waits *w, uint64_t time_ns)
{
	w->back_ns = time_ns;
}

bool waits_place(const struct waits *w, struct ring_note *note)
{
	*note = (struct ring_note){.kind = RING_SAMPLE,
				   .ip = w->at.ip,
				   .sp = w->at.sp,
				   .bp = w->at.bp,
				   .link = w->at.link,
				   .stack = w->blocked.stack,
				   .stack_bytes = w->blocked.stack_bytes};
	return w->known && w->at.sp;
}

/* ---- which call it was */

static struct place look_at(struct process *p, uintptr_t ip, uintptr_t returns_to)
{
	struct place found = {ip, returns_to, CPU_CODE_SHOWS_CALLS, -1, -1};

	if (!module_discover(p, ip))
		return found;
	found.outside = CPU_CODE_SHOWS_CALLS && !CPU_CALL_ENDS_AT(ip);
	found.call = cpu_system_call_before(ip);
	if (found.call < 0)
		found.slot = cpu_system_call_slot(ip);
	if (found.call < 0 && found.slot < 0 && module_discover(p, returns_to))
		found.slot = cpu_system_call_slot_of_caller(ip, returns_to);
	return found;
}

static int32_t call_at(struct waits *w, struct process *p, const struct blocked_at *at)
{
	uintptr_t ip = at->ip, returns_to = at->stack[0];
	struct place *known = &w->places[ip * 0x9e3779b97f4a7c15u >> 32 & (PLACES - 1)];
	uint64_t call;

	if (known->ip != ip || known->returns_to != returns_to)
		*known = look_at(p, ip, returns_to);
	if (known->outside)
		return ZPROF_WAIT_OUTSIDE;
	if (CPU_CALL_NUMBER(at->call) >= 0)
		return CPU_CALL_NUMBER(at->call);
	if (known->call >= 0)
		return known->call;
	if (known->slot < 0 || known->slot % 8 || (uint32_t)known->slot >= sizeof(at->stack))
		return ZPROF_WAIT_PLACE;
	call = at->stack[known->slot / 8];
	return call < MOST_CALLS ? (int32_t)call : ZPROF_WAIT_PLACE;
}

/* ---- which lock */

/*
 * Whether a futex call waits for a lock. In the C library's mutexes, the value 2 means "locked,
 * with waiters".
 */
static bool is_lock(uint64_t command, uint64_t value)
{
	return ((command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) && (uint32_t)value == 2) ||
	       command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2;
}

static bool waits_for_word(uint64_t command)
{
	return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ||
	       command == FUTEX_WAIT_REQUEUE_PI;
}

/*
 * Stores the futex that was waited for in the key of a record. If it is not a lock, its address is
 * kept only if it lies in a module, where it can have a name: in allocated memory or on stacks
 * there may be any number of such words.
 */
static void tell_futex(const struct process *p, const struct blocked_at *at, struct zprof_wait *key)
{
	uint64_t command = at->argument[1] & FUTEX_CMD_MASK;
	uintptr_t word = at->argument[0];

	if (is_lock(command, at->argument[2])) {
		key->flags = ZPROF_WAIT_LOCK;
		key->object = word;
		key->made_at = locks_place(word);
	} else if (waits_for_word(command) && module_find(p, word)) {
		key->object = word;
	}
}

static void tell(struct waits *w, struct process *p, struct zprof_wait *key)
{
	if (sampling_is_ours(p->sampling, w->at.ip)) {
		key->call = ZPROF_WAIT_HOOK;
		return;
	}
	key->call = ZPROF_WAIT_OUTSIDE;
	if (!w->at.in_call)
		return;
	key->call = call_at(w, p, &w->at);
	if (key->call == ZPROF_WAIT_OUTSIDE)
		return;
	key->place = w->at.ip;
	if (key->call == SYS_futex)
		tell_futex(p, &w->at, key);
	if (key->call >= 0)
		key->call += CPU_CALLS_FROM;
}

/* ---- records */

static uint32_t slot_of(const struct waits *w, const struct zprof_wait *key)
{
	uint64_t h = key->place ^ (uint64_t)key->node << 40 ^ key->node ^ key->object << 7 ^
		     (uint64_t)(uint32_t)key->call << 20;

	return (uint32_t)((h * 0x9e3779b97f4a7c15u) >> 32) & w->mask;
}

static void insert(struct waits *w, struct zprof_wait *record)
{
	uint32_t i = slot_of(w, record);

	while (w->slots[i])
		i = (i + 1) & w->mask;
	w->slots[i] = record;
}

static bool more_slots(struct waits *w)
{
	uint32_t n = w->mask + 1, i;
	struct zprof_wait **old = w->slots,
			  **slots = sys_memory(2 * (size_t)n * sizeof(struct zprof_wait *));

	if (!slots)
		return false;
	w->slots = slots;
	w->mask = 2 * n - 1;
	for (i = 0; i < n; i++)
		if (old[i])
			insert(w, old[i]);
	sys_memory_free(old, n * sizeof(struct zprof_wait *));
	return true;
}

static struct zprof_wait *new_record(struct waits *w, struct process *p)
{
	struct zprof_wait *record = NULL;

	if (w->count >= MOST_RECORDS || (w->count >= (w->mask + 1) / 2 && !more_slots(w)))
		return NULL;
	record = file_record(p, &w->section, ZPROF_SECTION_WAITS, w->thread, sizeof(*record));
	w->count += record != NULL;
	return record;
}

/*
 * The record with this key, made if it is missing. NULL: there is no room, and the loss is counted.
 */
static struct zprof_wait *find_record(struct waits *w, struct process *p,
				      const struct zprof_wait *key)
{
	struct zprof_wait *record;
	uint32_t i = slot_of(w, key), node = key->node;

	for (; (record = w->slots[i]); i = (i + 1) & w->mask)
		if (record->node == node && record->place == key->place &&
		    record->call == key->call && record->object == key->object &&
		    record->made_at == key->made_at)
			return record;
	record = new_record(w, p);
	if (!record) {
		losses_count(p, ZPROF_LOSS_WAITED, 1);
		return NULL;
	}
	*record = *key;
	record->node = 0;
	cpu_publish();
	record->node = node;
	insert(w, record);
	return record;
}

void waits_charge(struct waits *w, struct process *p, uint32_t node, uint64_t ns)
{
	struct zprof_wait key = {.node = node}, *record;

	if (!w->known)
		return;
	w->known = false;
	if (!w->records)
		return;
	tell(w, p, &key);
	record = find_record(w, p, &key);
	if (!record)
		return;
	record->waits++;
	record->waited_ns += ns;
}
