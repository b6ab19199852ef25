/* SPDX-License-Identifier: MIT */
/*
 * locations.c - the table that location.h describes. This file does not know how rules and hosts
 * are found.
 */
#include "preload/code/location.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/code/call_places.h"
#include "preload/code/cfi_known.h"

bool locations_init(struct process *p)
{
	p->locations->slots = sys_memory(LOCATIONS_MAX * sizeof(struct location));
	p->locations->calls = (uint64_t *)p->locations->slots;
	p->locations->answers = sys_memory(CFI_ANSWERS * sizeof(struct cfi_answer));
	return p->locations->slots != NULL;
}

static void forget_call(struct process *p, uintptr_t ret)
{
	uint64_t *place = &p->locations->calls[ret & (CALL_PLACES - 1)];

	if (*place && call_place_is(*place, ret))
		__atomic_store_n(place, 0, __ATOMIC_RELAXED);
}

void locations_forget(struct process *p, uintptr_t start, uintptr_t end)
{
	uintptr_t at;
	uint32_t i;

	for (i = 0; i < LOCATIONS_MAX; i++) {
		struct location *slot = &p->locations->slots[i];
		uintptr_t ret = slot->ret & ~LOCATION_AS_PLACE;

		if ((ret > start && ret <= end) || ret & LOCATION_AS_PAIR)
			__atomic_store_n(&slot->rule, 0, __ATOMIC_RELEASE);
	}
	if (!p->locations->calls_begun)
		return;
	if (end - start < CALL_PLACES)
		for (at = start; at <= end; at++)
			forget_call(p, at);
	else
		for (at = 0; at < CALL_PLACES; at++)
			__atomic_store_n(&p->locations->calls[at], 0, __ATOMIC_RELAXED);
}
