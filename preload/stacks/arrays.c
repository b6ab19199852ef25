/* SPDX-License-Identifier: MIT */
/* arrays.c - see arrays.h. */
#include "preload/stacks/arrays.h"

#include "preload/process/process.h"
#include "preload/stacks/parked.h"

/*
 * The track's bounds end at the lowest array. An array that lies below sp is in no frame any more.
 *
 * The lowest word of an array belongs to the outer stack's bounds: sp points there when the frame
 * with the array has nothing below it. Code that runs on the array cannot have its sp there, since
 * a call would find no room to push its return address.
 */
void arrays_confine(struct track *k, uintptr_t sp)
{
	struct stacks *all = k->process->stacks;
	struct stack *s = k->stack;
	uintptr_t end = s->low + s->bytes;
	uint32_t i, n = s->arrays ? __atomic_load_n(&all->count, __ATOMIC_ACQUIRE) : 0;

	for (i = 0; i < n && i < STACKS_MAX; i++) {
		struct stack *a = &all->table[i];

		if (!a->bytes || a->around != s || a->around_serial != s->serial)
			continue;
		if (a->low + a->bytes <= sp)
			parked_forget(k->process, a);
		else if (a->low < end)
			end = a->low + sizeof(uintptr_t);
	}
	k->stack_low = s->low + (s->around ? sizeof(uintptr_t) : 0);
	k->stack_bytes = end - k->stack_low;
}

/* The array lies in the frame of the innermost open zone whose CFA is above it. */
void arrays_note(struct track *k, struct stack *s, uintptr_t sp)
{
	uintptr_t end = s->low + s->bytes;
	const struct open_zone *f = k->top;

	if (k->busy || k->barriers || !arrays_runs_on(k, k->stack) || !stack_holds(k->stack, sp) ||
	    !stack_holds(k->stack, end - 1) || s->low < sp)
		return;
	while (f->cfa < end)
		f--;
	s->owner_cfa = f->cfa;
	s->owner_zone = f->node->zone;
	s->around = k->stack;
	s->around_serial = k->stack_serial;
	s->around->arrays++;
	arrays_confine(k, sp);
}

/* Whether the zone is still open that the array `a` is in a frame of. */
static bool is_owned(const struct track *k, const struct stack *a)
{
	const struct stack *around = a->around;
	const struct open_zone *f;
	uint32_t i;

	if (around->serial != a->around_serial)
		return false;
	if (a->owner_cfa == UINTPTR_MAX)
		return true;
	if (arrays_runs_on(k, around)) {
		for (f = k->top; f > k->bottom; f--)
			if (f->cfa == a->owner_cfa && f->node->zone == a->owner_zone)
				return true;
		return false;
	}
	for (i = 0; i < around->count; i++)
		if (around->frames[i].cfa == a->owner_cfa &&
		    around->frames[i].node->zone == a->owner_zone)
			return true;
	return around->running != NULL;
}

struct stack *arrays_find_living(const struct track *k, uintptr_t sp)
{
	struct stack *s;
	uintptr_t used = sp - sizeof(uintptr_t);

	while ((s = stacks_find(k->process, used)) && s->around && s != k->stack && !is_owned(k, s))
		parked_forget(k->process, s);
	return s;
}

bool arrays_hold(const struct track *k, uintptr_t address)
{
	return address - k->stack_low < k->stack_bytes ||
	       (!k->barriers && arrays_runs_on(k, k->stack) && stack_holds(k->stack, address));
}
