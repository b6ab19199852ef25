/* SPDX-License-Identifier: MIT */
/* forth-sums: see the header. */
#include "vm-6502/native/forth-sums.h"

#include <stdlib.h>

struct forth_sums *forth_sums_new(void)
{
	struct forth_sums *s = calloc(1, sizeof *s);

	if (s)
		s->now = &s->none;
	return s;
}

static void charge(struct forth_sums *s, uint64_t time)
{
	*s->now += time - s->since;
	s->since = time;
}

void forth_sums_next(struct forth_sums *s, uint64_t time, uint16_t ip)
{
	charge(s, time);
	s->now = &s->sum[ip];
}

void forth_sums_finish(struct forth_sums *s, uint64_t time)
{
	charge(s, time);
	s->none = 0;
	for (int i = 0; i < 0x10000; i++) {
		if (s->sum[i])
			forth_time_take_apart(&s->sum[i], &s->count[i].cycles, &s->count[i].runs);
	}
}
