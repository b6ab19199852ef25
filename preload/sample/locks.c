/* SPDX-License-Identifier: MIT */
/* locks.c - see locks.h. */
#include "preload/sample/locks.h"

#include "preload/base/sys.h"

#define SLOTS 65536u /* a power of two */
#define TRIES 16u

struct slot {
	uintptr_t lock, place;
};

static struct slot *slots; /* of this process; a forked child gets a copy */

static uint32_t first_slot(uintptr_t lock)
{
	return (uint32_t)((lock * 0x9e3779b97f4a7c15u) >> 40);
}

/* Another thread may make the table at the same time. */
static struct slot *make_slots(void)
{
	struct slot *new = sys_memory(SLOTS * sizeof(*new)), *none = NULL;

	if (!new)
		return NULL;
	if (__atomic_compare_exchange_n(&slots, &none, new, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return new;
	sys_memory_free(new, SLOTS * sizeof(*new));
	return none;
}

void locks_made(uintptr_t lock, uintptr_t place)
{
	struct slot *all = __atomic_load_n(&slots, __ATOMIC_ACQUIRE);
	uint32_t i;

	if (!all && (sys_forbidden || !(all = make_slots())))
		return;
	for (i = 0; i < TRIES; i++) {
		struct slot *s = &all[(first_slot(lock) + i) % SLOTS];
		uintptr_t there = 0;

		if (__atomic_compare_exchange_n(&s->lock, &there, lock, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE) ||
		    there == lock) {
			__atomic_store_n(&s->place, place, __ATOMIC_RELEASE);
			return;
		}
	}
}

uintptr_t locks_place(uintptr_t lock)
{
	struct slot *all = __atomic_load_n(&slots, __ATOMIC_ACQUIRE);
	uint32_t i;

	for (i = 0; all && i < TRIES; i++) {
		const struct slot *s = &all[(first_slot(lock) + i) % SLOTS];
		uintptr_t there = __atomic_load_n(&s->lock, __ATOMIC_ACQUIRE);

		if (there == lock)
			return __atomic_load_n(&s->place, __ATOMIC_ACQUIRE);
		if (!there)
			break;
	}
	return 0;
}
