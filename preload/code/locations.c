/* SPDX-License-Identifier: MIT */
/*
 * locations.c - the table that location.h describes. This file does not know how rules and hosts
 * are found.
 */
#include "preload/code/location.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"

bool locations_init(struct process *p)
{
	p->locations->slots = sys_memory(LOCATIONS_MAX * sizeof(struct location));
	return p->locations->slots != NULL;
}

void locations_forget(struct process *p, uintptr_t start, uintptr_t end)
{
	uint32_t i;

	for (i = 0; i < LOCATIONS_MAX; i++) {
		struct location *slot = &p->locations->slots[i];
		uintptr_t ret = slot->ret & ~(LOCATION_AS_PLACE | LOCATION_AS_CALL);

		if ((ret > start && ret <= end) || ret & LOCATION_AS_PAIR)
			__atomic_store_n(&slot->rule, 0, __ATOMIC_RELEASE);
	}
}
