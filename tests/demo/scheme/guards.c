/* SPDX-License-Identifier: MIT */
/* guards.c - dynamic-wind, and the way to a continuation through them. See scheme.h. */
#include "tests/demo/scheme/scheme.h"

UNSEEN void enter_guard(struct value *before, struct value *thunk, struct value *after)
{
	struct wind *w = allocate(sizeof(*w));

	w->before = before;
	w->after = after;
	w->next = machine.winds;
	w->depth = machine.winds ? machine.winds->depth + 1 : 1;
	machine.turn->frame = push(machine.turn->frame, WIND, thunk, NULL, NULL);
	machine.turn->frame->wind = w;
	apply(before, &nil, NULL);
}

/* `before` has run. */
UNSEEN void guard_entered(const struct frame *f)
{
	machine.winds = f->wind;
	machine.turn->frame = push(f->next, UNWIND, NULL, NULL, NULL);
	machine.turn->frame->wind = f->wind;
	apply(f->expression, &nil, NULL);
}

/* The guarded thunk has given v. */
UNSEEN void guard_left(const struct frame *f, struct value *v)
{
	machine.winds = f->wind->next;
	machine.turn->frame = push(f->next, GIVE, NULL, NULL, v);
	apply(f->wind->after, &nil, NULL);
}

/* The innermost guard that both are in. */
static UNSEEN struct wind *shared(struct wind *a, struct wind *b)
{
	while (a != b) {
		if (!b || (a && a->depth >= b->depth))
			a = a->next;
		else
			b = b->next;
	}
	return a;
}

/* No guard is in between any more. */
static UNSEEN void arrive(const struct value *continuation, struct value *value)
{
	struct turn *t = continuation->k.turn, *alive = machine.turn;

	while (alive && alive != t)
		alive = alive->outer;
	if (!alive)
		fail("the native code that this continuation returns to has returned");
	t->frame = continuation->k.frame;
	t->expression = NULL;
	t->value = value;
	if (t != machine.turn) {
		t->arrived = continuation;
		longjmp(t->again, 1);
	}
	restore(continuation);
}

/*
 * Leaves the innermost guard that the continuation is not in; or else enters the outermost that it
 * is in and we are not; or else has arrived. A REWIND frame repeats this.
 */
UNSEEN void rewind_to(struct value *continuation, struct value *value)
{
	struct wind *both = shared(machine.winds, continuation->k.winds), *w = machine.winds;

	if (w == both && continuation->k.winds == both) {
		arrive(continuation, value);
		return;
	}
	machine.turn->frame = push(machine.turn->frame, REWIND, continuation, NULL, value);
	if (w != both) {
		machine.winds = w->next;
		apply(w->after, &nil, NULL);
		return;
	}
	for (w = continuation->k.winds; w->next != both; w = w->next)
		;
	machine.turn->frame->wind = w;
	apply(w->before, &nil, NULL);
}
