/* SPDX-License-Identifier: MIT */
/* call_places.c - see call_places.h. */
#include "preload/code/call_places.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/code/location.h"

_Static_assert(CALL_PLACES * sizeof(uint64_t) == LOCATIONS_MAX * sizeof(struct location),
	       "one table stands for the other");

void call_places_begin(struct process *p)
{
	uint64_t *calls =
	    p->locations->calls_begun ? NULL : sys_memory(CALL_PLACES * sizeof(*calls));

	if (!calls)
		return;
	__atomic_store_n(&p->locations->calls, calls, __ATOMIC_RELEASE);
	__atomic_store_n(&p->locations->calls_begun, true, __ATOMIC_RELEASE);
}

void call_places_learn(struct process *p, uintptr_t ret)
{
	uint64_t *place = &p->locations->calls[ret & (CALL_PLACES - 1)];
	struct location where;
	uintptr_t start;
	uint32_t twice;

	if (!p->locations->calls_begun || (*place && call_place_is(*place, ret)))
		return;
	location_at(p, ret, &where);
	twice = (where.rule & LOCATION_DISTANCE) / 4;
	if (where.rule & LOCATION_INDIRECT || !twice || where.host == LOCATION_ANY_HOST)
		return;
	start = location_host(&where);
	if (twice > CALL_PLACE_TWICE || ret - start > CALL_PLACE_START_MAX)
		return;
	__atomic_store_n(
	    place,
	    (uint64_t)(ret - start) << (32 + CALL_PLACE_START) |
		(uint64_t)(twice | (where.rule & LOCATION_BY_RBP ? CALL_PLACE_BY_RBP : 0)) << 32 |
		(uint32_t)ret,
	    __ATOMIC_RELAXED);
}
