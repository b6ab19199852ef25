/* SPDX-License-Identifier: MIT */
/* lend: see the header. */
#include "vm-6502/lend.h"

#include "preload/zprof.h"
#include "vm-6502/m6502.h"

#define COUNTER "cycles"

M6502_HOT void lend_begin(const uint64_t *cycles)
{
	zprof_lent_counter(COUNTER, cycles);
}

M6502_HOT void lend_end(void)
{
	zprof_lent_counter(COUNTER, NULL);
}

M6502_HOT uint32_t lend_zone(const char *name, const char *group)
{
	return zprof_lent(name, group, NULL, 0);
}

M6502_HOT void lend_enter(uint32_t zone)
{
	zprof_lent_enter(zone);
}

M6502_HOT void lend_leave(void)
{
	zprof_lent_leave();
}

M6502_HOT uint64_t lend_aside(void)
{
	uint64_t stack = zprof_lent_stack();
	if (stack)
		zprof_lent_switch(stack);
	return stack;
}

M6502_HOT void lend_back(uint64_t before, uint64_t now)
{
	if (!now)
		return;
	zprof_lent_switch(before);
	zprof_lent_free(now);
}
