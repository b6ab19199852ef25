/* SPDX-License-Identifier: MIT */
/* tick_jump.c - see tick_jump.h; what a test program calls when it runs under this library. */
#include "tests/tools/tick_jump.h"

int64_t tick_jump_offset[2];
uint64_t tick_jump_readings, tick_jump_at = UINT64_MAX;
int64_t tick_jump_later;

__attribute__((visibility("default"))) void tick_jump_between(int64_t even, int64_t odd);
__attribute__((visibility("default"))) void tick_jump_after(uint64_t readings, int64_t by);
__attribute__((visibility("default"))) int tick_jump_noticed(void);

/* From now on the processors' counters differ from the real ones by this much. */
void tick_jump_between(int64_t even, int64_t odd)
{
	__atomic_store_n(&tick_jump_offset[0], even, __ATOMIC_RELAXED);
	__atomic_store_n(&tick_jump_offset[1], odd, __ATOMIC_RELAXED);
}

/* After this many more readings, all counters jump. */
void tick_jump_after(uint64_t readings, int64_t by)
{
	__atomic_store_n(&tick_jump_at, UINT64_MAX, __ATOMIC_RELAXED);
	tick_jump_later += by;
	__atomic_store_n(&tick_jump_at, tick_jump_readings + readings, __ATOMIC_RELAXED);
}

int tick_jump_noticed(void)
{
	return tick_by_system != 0;
}
