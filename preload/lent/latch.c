/* SPDX-License-Identifier: MIT */
/*
 * latch.c - interpreted code charged by the address it runs at (zprof.h): the zone of a range of
 * addresses, replaced in place.
 *
 * The inline half, zprof_latch_at(), stays in the range or gap it knows, [low, low + bytes), by two
 * compares. Here a new one is looked for, by bisection, and the zone replaced if it is another.
 */
#define ZPROF_LIBRARY
#include "preload/zprof.h"
#include "preload/process/process.h"
#include "preload/lent/lent.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void zprof_latch_begin(struct zprof_latch *latch);
EXPORT void zprof_latch_move(struct zprof_latch *latch, uint64_t ip);
EXPORT void zprof_latch_end(struct zprof_latch *latch);

EXPORT void zprof_lent_enter(uint32_t zone);
EXPORT void zprof_lent_replace(uint32_t zone, int how);
EXPORT void zprof_lent_leave(void);

static bool in_order(const struct zprof_latch *latch)
{
	uint64_t end = 0;
	uint32_t i;

	for (i = 0; i < latch->count; i++) {
		const struct zprof_range *r = &latch->ranges[i];

		if (r->start < end || r->end < r->start)
			return false;
		end = r->end;
	}
	return true;
}

/* The range that holds ip, or the gap between two; returns its zone. */
static uint32_t find(struct zprof_latch *latch, uint64_t ip)
{
	uint32_t low = 0, high = latch->count;
	uint64_t from = 0, to = UINT64_MAX;

	/* In the end `low` is how many ranges begin at ip or before. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (latch->ranges[middle].start <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < latch->count)
		to = latch->ranges[low].start;
	if (low && ip < latch->ranges[low - 1].end) {
		const struct zprof_range *r = &latch->ranges[low - 1];

		latch->low = r->start;
		latch->bytes = r->end - r->start;
		return r->zone;
	}
	if (low)
		from = latch->ranges[low - 1].end;
	latch->low = from;
	latch->bytes = to - from;
	return latch->otherwise;
}

/*
 * The events come from the program, so its location must be seen in them: these three jump to the
 * zones' own functions, which find the program's return address on top of the stack.
 */
void zprof_latch_begin(struct zprof_latch *latch)
{
	latch->low = latch->bytes = 0;
	latch->zone = latch->otherwise;
	if (!in_order(latch)) {
		if (process_now && *process_now->here)
			lent_misuse(process_now);
		latch->bytes = UINT64_MAX;
	}
	zprof_lent_enter(latch->otherwise);
}

void zprof_latch_move(struct zprof_latch *latch, uint64_t ip)
{
	uint32_t zone = find(latch, ip);

	if (zone == latch->zone)
		return;
	latch->zone = zone;
	zprof_lent_replace(zone, ZPROF_CALL);
}

void zprof_latch_end(struct zprof_latch *latch)
{
	latch->low = latch->bytes = 0;
	zprof_lent_leave();
}
