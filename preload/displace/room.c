/* SPDX-License-Identifier: MIT */
/* room.c - see room.h. */
#include "preload/displace/room.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/code/maps.h"

#define PAGE       ((uintptr_t)4096)
#define REACH      (((uintptr_t)1 << 31) - 16 * PAGE)
#define LOWEST     ((uintptr_t)1 << 20) /* above vm.mmap_min_addr wherever that is sane */
#define HIGHEST    (((uintptr_t)1 << 47) - PAGE)
#define NO_ADDRESS 0

struct search {
	uintptr_t least, most; /* where the area may begin */
	size_t bytes;
	uintptr_t start;                     /* of the module */
	uintptr_t brk;                       /* the end of the heap */
	uintptr_t below, above, behind_heap; /* the best of each kind so far */
};

static uintptr_t page_up(uintptr_t at)
{
	return (at + PAGE - 1) & ~(PAGE - 1);
}

/* The free addresses [from, to), a page apart from their neighbours. */
static void consider(struct search *s, uintptr_t from, uintptr_t to)
{
	bool heap = s->brk >= from && s->brk < to;
	uintptr_t first, last;

	if (from < LOWEST)
		from = LOWEST;
	from = page_up(from) + PAGE;
	if (to < from + s->bytes + PAGE)
		return;
	last = (to & ~(PAGE - 1)) - PAGE - s->bytes;
	first = from < s->least ? page_up(s->least) : from;
	if (last > s->most)
		last = s->most & ~(PAGE - 1);
	if (first > last)
		return;
	if (heap)
		s->behind_heap = last;
	else if (last < s->start)
		s->below = last; /* the ranges come in order of addresses */
	else if (!s->above)
		s->above = first;
}

uintptr_t room_near(uintptr_t start, uintptr_t end, size_t bytes)
{
	struct search s = {.bytes = bytes, .start = start};
	uintptr_t from = 0;
	struct mapping m;
	char *text, *at;
	size_t mapped;

	if (end - start + bytes >= REACH || sys_read_file(SYS_SELF "maps", &text, &mapped) <= 0)
		return NO_ADDRESS;
	s.least = end > REACH ? end - REACH : 0;
	s.most = start + REACH - bytes;
	s.brk = (uintptr_t)sys1(SYS_brk, 0);
	for (at = text; maps_next(&at, &m); from = m.end)
		if (m.start > from && !text_same(m.path, "[stack]"))
			consider(&s, from, m.start < HIGHEST ? m.start : HIGHEST);
	sys_memory_free(text, mapped);
	return s.below ? s.below : s.above ? s.above : s.behind_heap;
}
