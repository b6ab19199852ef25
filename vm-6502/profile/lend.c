/* SPDX-License-Identifier: MIT */
/* lend: see the header. */
#include "vm-6502/profile/lend.h"

#include "preload/zprof.h"
#include "vm-6502/cpu/m6502.h"

M6502_HOT void lend_begin(const char *name, const uint64_t *counter)
{
	zprof_lent_counter(name, counter);
}

M6502_HOT void lend_end(const char *name)
{
	zprof_lent_counter(name, NULL);
}

M6502_HOT bool lend_recorded(void)
{
	return zprof_recording();
}

M6502_HOT uint32_t lend_zone(const char *name, const char *group, const char *file, uint32_t line)
{
	return zprof_lent(name, group, file, line);
}

M6502_HOT void lend_enter(uint32_t zone, uint32_t line)
{
	zprof_lent_enter_at(zone, line, 0);
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

M6502_HOT bool lend_counts(struct zprof_asking *asking)
{
	return zprof_lent_begin(asking);
}

M6502_HOT size_t lend_path(struct zprof_asking *asking, const uint32_t *zones, size_t count)
{
	return zprof_lent_path(asking, zones, count);
}

M6502_HOT void lend_add(struct zprof_counted *contexts, size_t count)
{
	zprof_lent_add(contexts, count);
}
