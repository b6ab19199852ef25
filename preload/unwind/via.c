/* SPDX-License-Identifier: MIT */
/* via.c - see via.h. */
#include "preload/unwind/via.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/code/location.h"
#include "preload/tree/tree.h"
#include "preload/track/open.h"
#include "preload/track/track.h"
#include "preload/unwind/unwind.h"

_Static_assert(VIA_SEEN == 1u << 14, "seen_before() takes 14 bits of a hash");

#define VIA_SECTION (16u * 1024)

/* Whether one of the open zones in f's stack frame is of the function that `here` lies in. */
static bool runs_in(struct process *p, const struct open_zone *f, const struct location *here)
{
	uintptr_t cfa = f->cfa;

	for (; f->cfa == cfa; f--) {
		const struct twin *own = twin_of(f->node);

		if (location_goes_on(p, &(struct location){own->ret, own->rule, own->host}, here))
			return true;
	}
	return false;
}

/* Whether the zone on top called the new zone, without other code between: nearly always true. */
static bool called_directly(const struct track *k, const struct event *e, uintptr_t cfa)
{
	struct location caller;

	return unwind_is_caller(k, e, cfa, k->top->cfa, &caller) &&
	       runs_in(k->process, k->top, &caller);
}

/*
 * Follows the real stack from the frame `own` to the innermost frame of an open zone, and collects
 * the return addresses on the way. Returns that zone; open zones above it are not on the real stack
 * any more, so the caller may end them. But if the walk passes a signal handler's frame, a missing
 * frame proves nothing: the signal may have interrupted a function that gave up its frame by a jump
 * to the exit hook (or to the dynamic linker, which looks the hook up first), and its zone is still
 * open. So the walk then returns the top, and no zone ends.
 */
static struct open_zone *follow(const struct track *k, const struct event *e, uintptr_t own,
				struct via *via)
{
	struct open_zone *f = k->top;
	struct place at;
	uintptr_t cfa;
	bool end;

	if (!unwind_first(k, e, own, &at))
		return f;
	while (via->count < VIA_MAX) {
		uintptr_t pc = at.pc;

		if (!unwind_next(k, &at, &cfa, &end)) {
			via->addresses[via->count++] = pc;
			via->whole = end;
			break;
		}
		while (f->cfa < cfa)
			f--;
		if (f->cfa == cfa) {
			struct location here;

			location_at(k->process, pc, &here);
			via->whole = at.interrupted || runs_in(k->process, f, &here);
			if (via->whole)
				break;
			while (f->cfa == cfa)
				f--;
		}
		via->addresses[via->count++] = pc;
	}
	return at.interrupted ? k->top : f;
}

static void write_record(struct process *p, uint32_t node, const struct via *via)
{
	uint32_t bytes =
	    (uint32_t)(sizeof(struct zprof_via) + via->count * sizeof(via->addresses[0]));
	struct zprof_section *s = p->vias;
	struct zprof_via *record;

	if (!s || s->used + bytes > s->bytes) {
		s = file_section(p, ZPROF_SECTION_VIA, 0, VIA_SECTION);
		if (!s)
			return;
		p->vias = s;
	}
	record = (struct zprof_via *)((char *)s + s->used);
	record->bytes = bytes;
	record->node = node;
	record->count = via->count;
	record->whole = via->whole;
	memcpy(record->addresses, via->addresses, via->count * sizeof(via->addresses[0]));
	__atomic_store_n(&s->used, s->used + bytes, __ATOMIC_RELEASE);
}

/*
 * The slot for a pair of zones in the table of pairs done. If two pairs share a slot, the later one
 * overwrites the earlier one, which may then be done again.
 */
static uint64_t *place_of(struct process *p, uint64_t parent, uint64_t zone, uint64_t *pair)
{
	*pair = (parent * 0x9e3779b97f4a7c15u ^ zone) * 0xd6e8feb86659fd93u | 1;
	return &p->vias_seen[*pair >> 50];
}

void via_look(struct track *k, const struct event *e, uintptr_t cfa, struct via *via)
{
	uint64_t pair, *seen = place_of(k->process, k->top->node->zone, e->zone, &pair);
	struct open_zone *caller;

	via->count = 0;
	via->whole = false;
	if (cfa >= k->top->cfa || k->stack_bytes == UINTPTR_MAX || *seen == pair ||
	    called_directly(k, e, cfa))
		return;
	caller = follow(k, e, cfa, via);
	open_abandon(k, caller);
	seen = place_of(k->process, k->top->node->zone, e->zone, &pair);
	*seen = pair;
}

static bool hand_over(struct process *p, const struct tree *from, const struct tree *to)
{
	return __atomic_compare_exchange_n(&p->recording_via, &from, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

void via_record(struct track *k, const struct via *via, const struct zprof_node *node)
{
	struct process *p = k->process;

	if (!via->count || !hand_over(p, NULL, k->tree))
		return;
	write_record(p, node_reference(k->base, node), via);
	hand_over(p, k->tree, NULL);
}

void via_left(struct process *p, const struct tree *tree)
{
	hand_over(p, tree, NULL);
}
