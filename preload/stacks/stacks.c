/* SPDX-License-Identifier: MIT */
/* stacks.c - see stacks.h. */
#include "preload/stacks/stacks.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/track/lineage.h"

#include <errno.h>

#define FILED_BITS    18 /* four slots for each stack */
#define FILED_SLOTS   (1u << FILED_BITS)
#define FILED_PROBES  64u
#define SMALLEST_SIZE 12u /* as powers of two */
#define LARGEST_SIZE  48u /* and anything above */

bool stacks_init(struct process *p, const struct process *from)
{
	uint32_t i;

	if (!from) {
		p->stacks->table = sys_memory(STACKS_MAX * sizeof(struct stack));
		p->stacks->filed = sys_memory(FILED_SLOTS * sizeof(uint64_t));
		return p->stacks->table && p->stacks->filed;
	}
	*p->stacks = *from->stacks;
	for (i = 0; i < p->stacks->count && i < STACKS_MAX; i++)
		p->stacks->table[i].lock = 0;
	return true;
}

/* ---- locks */

static uint32_t this_thread(void)
{
	if (track_self.lineage)
		return track_self.lineage->tid;
	return sys_forbidden ? UINT32_MAX - 1 : (uint32_t)sys0(SYS_gettid);
}

static bool has_ended(uint32_t tid)
{
	return !sys_forbidden && sys3(SYS_tgkill, sys0(SYS_getpid), tid, 0) == -ESRCH;
}

#define LOST      UINT32_MAX /* in lock: nobody waits for it, until its holder unlocks it */
#define PATIENCE  100000000u /* ns */
#define LONG      1024u      /* tries with a system call in each */
#define VERY_LONG (1u << 22) /* tries without one */

/*
 * Whether a thread has waited too long for a lock. *until holds the end of its patience; it must be
 * 0 at the first call.
 */
static bool too_long(uint32_t tries, uint64_t *until)
{
	if (sys_forbidden)
		return tries >= VERY_LONG;
	if (!*until)
		*until = sys_clock_ns(1) + PATIENCE;
	return sys_clock_ns(1) >= *until;
}

/*
 * A hook holds the lock only while its track is busy. Handlers that interrupt it work on levels of
 * their own, which do not switch stacks and never take the lock. So if this thread already holds
 * the lock, an earlier hook took it and was left by a jump.
 */
bool stacks_lock(struct stack *s)
{
	uint32_t me = this_thread(), seen = 0, tries = 0;
	uint64_t until = 0;

	while (!__atomic_compare_exchange_n(&s->lock, &seen, me, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		if (seen == me)
			return true;
		if (seen == LOST)
			return false;
		if (++tries % LONG == 0) {
			if (has_ended(seen))
				continue;
			if (too_long(tries, &until) &&
			    __atomic_compare_exchange_n(&s->lock, &seen, LOST, false,
							__ATOMIC_RELAXED, __ATOMIC_RELAXED))
				return false;
		}
		seen = 0;
		if (!sys_forbidden)
			sys0(SYS_sched_yield);
	}
	return true;
}

void stacks_unlock(struct stack *s)
{
	__atomic_store_n(&s->lock, 0, __ATOMIC_RELEASE);
}

/* ---- the hash of stacks */

static uint32_t size_of(uintptr_t bytes)
{
	uint32_t size = SMALLEST_SIZE;

	while (size < LARGEST_SIZE && bytes > (uintptr_t)1 << size)
		size++;
	return size;
}

/* Neighbouring blocks get neighbouring slots, so that stacks side by side touch little memory. */
static uint32_t slot_of(uint32_t size, uintptr_t block, uint32_t probe)
{
	uint64_t h = ((block & ~(uintptr_t)63) | size) * 0x9e3779b97f4a7c15u;

	return ((uint32_t)(h >> (64 - FILED_BITS)) + 4 * (block & 63) + probe) & (FILED_SLOTS - 1);
}

/* The stack that an entry of the hash names. NULL: that stack was removed. */
static struct stack *named(const struct stacks *all, uint64_t filed)
{
	struct stack *s = &all->table[(uint32_t)filed - 1];

	return s->serial == filed >> 32 && s->bytes ? s : NULL;
}

static bool file_under(struct stacks *all, const struct stack *s, uint32_t size, uintptr_t block)
{
	uint64_t mine = (uint64_t)s->serial << 32 | (uint32_t)(s - all->table + 1);
	uint32_t i;

	for (i = 0; i < FILED_PROBES; i++) {
		uint64_t *slot = &all->filed[slot_of(size, block, i)];
		uint64_t seen = __atomic_load_n(slot, __ATOMIC_RELAXED);

		if ((!seen || !named(all, seen)) &&
		    __atomic_compare_exchange_n(slot, &seen, mine, false, __ATOMIC_RELEASE,
						__ATOMIC_RELAXED))
			return true;
	}
	return false;
}

static bool file(struct stacks *all, const struct stack *s)
{
	uint32_t size = size_of(s->bytes);
	uintptr_t first = s->low >> size, last = (s->low + s->bytes - 1) >> size;

	if (!(all->sizes >> size & 1))
		__atomic_fetch_or(&all->sizes, (uint64_t)1 << size, __ATOMIC_RELAXED);
	return file_under(all, s, size, first) && (first == last || file_under(all, s, size, last));
}

/*
 * Among the stacks filed under a size and a block: with `bytes` 0, the smallest that holds the
 * address `low`; else one that begins in [low, low + bytes) and is no larger than `bytes`.
 */
static struct stack *look(const struct stacks *all, uint32_t size, uintptr_t block, uintptr_t low,
			  uintptr_t bytes)
{
	struct stack *best = NULL;
	uint32_t i;

	for (i = 0; i < FILED_PROBES; i++) {
		uint64_t filed =
		    __atomic_load_n(&all->filed[slot_of(size, block, i)], __ATOMIC_ACQUIRE);
		struct stack *s;

		if (!filed)
			break;
		s = named(all, filed);
		if (!s || size_of(s->bytes) != size)
			continue;
		if (bytes ? s->low - low < bytes && s->bytes <= bytes
			  : stack_holds(s, low) && (!best || s->bytes < best->bytes))
			best = s;
	}
	return best;
}

struct stack *stacks_find(const struct process *p, uintptr_t address)
{
	uint64_t sizes = __atomic_load_n(&p->stacks->sizes, __ATOMIC_RELAXED);

	for (; sizes; sizes &= sizes - 1) {
		uint32_t size = (uint32_t)__builtin_ctzll(sizes);
		struct stack *s = look(p->stacks, size, address >> size, address, 0);

		if (s)
			return s;
	}
	return NULL;
}

static struct stack *one_of_all(const struct stacks *all, uintptr_t low, uintptr_t bytes)
{
	uint32_t i, n = __atomic_load_n(&all->count, __ATOMIC_ACQUIRE);

	for (i = 0; i < n && i < STACKS_MAX; i++) {
		struct stack *s = &all->table[i];

		if (s->bytes && s->low - low < bytes && s->bytes <= bytes)
			return s;
	}
	return NULL;
}

/* Looks block by block, or through all stacks if there are fewer stacks than blocks. */
struct stack *stacks_within(const struct process *p, uintptr_t low, uintptr_t bytes)
{
	uint64_t sizes = __atomic_load_n(&p->stacks->sizes, __ATOMIC_RELAXED);

	for (; sizes; sizes &= sizes - 1) {
		uint32_t size = (uint32_t)__builtin_ctzll(sizes);
		uintptr_t block = low >> size, last = (low + bytes - 1) >> size;

		if (size > size_of(bytes))
			break;
		if (last - block > p->stacks->count)
			return one_of_all(p->stacks, low, bytes);
		for (; block <= last; block++) {
			struct stack *s = look(p->stacks, size, block, low, bytes);

			if (s)
				return s;
		}
	}
	return NULL;
}

/* ---- places in the table */

static struct stack *free_place(struct stacks *all)
{
	uint64_t head = __atomic_load_n(&all->free, __ATOMIC_ACQUIRE), next;
	uint32_t i;

	while ((uint32_t)head) {
		struct stack *s = &all->table[(uint32_t)head - 1];

		next = ((head >> 32) + 1) << 32 | s->next_free;
		if (__atomic_compare_exchange_n(&all->free, &head, next, false, __ATOMIC_ACQUIRE,
						__ATOMIC_ACQUIRE))
			return s;
	}
	if (all->count >= STACKS_MAX)
		return NULL;
	i = __atomic_fetch_add(&all->count, 1, __ATOMIC_RELAXED);
	return i < STACKS_MAX ? &all->table[i] : NULL;
}

static void give_back(struct stacks *all, struct stack *s)
{
	uint64_t head = __atomic_load_n(&all->free, __ATOMIC_RELAXED), next;

	do {
		s->next_free = (uint32_t)head;
		next = ((head >> 32) + 1) << 32 | (uint32_t)(s - all->table + 1);
	} while (!__atomic_compare_exchange_n(&all->free, &head, next, false, __ATOMIC_RELEASE,
					      __ATOMIC_RELAXED));
}

struct stack *stacks_add(struct process *p, uintptr_t low, uintptr_t bytes)
{
	struct stack *s = free_place(p->stacks);

	if (!s)
		return NULL;
	s->serial++;
	s->count = 0;
	s->running = NULL;
	s->around = NULL;
	s->shared = false;
	s->arrays = 0;
	s->low = low;
	__atomic_store_n(&s->bytes, bytes, __ATOMIC_RELEASE);
	if (file(p->stacks, s))
		return s;
	stacks_remove(p, s);
	return NULL;
}

/*
 * Two threads may remove one stack: only the thread that sets `bytes` to 0 gives the place back. A
 * place whose lock is lost is not used again.
 */
void stacks_remove(struct process *p, struct stack *s)
{
	s->serial++;
	s->running = NULL;
	if (__atomic_exchange_n(&s->bytes, 0, __ATOMIC_ACQ_REL) &&
	    __atomic_load_n(&s->lock, __ATOMIC_RELAXED) != LOST)
		give_back(p->stacks, s);
}
