/* SPDX-License-Identifier: MIT */
/*
 * zones.c - all that zprof is told about a Scheme program. See scheme.h.
 *
 *     (f x)                    zprof_lent_enter_at()   and the line and column of the call
 *     its value                zprof_lent_leave()
 *     (f x), in the last place zprof_lent_replace()    a tail call: nothing is left to do in the caller
 *     (call/cc f)              zprof_lent_capture()    remembers which procedures are running
 *     (k x)                    zprof_lent_restore()    those run again; the others have been left
 *     longjmp out of C code    zprof_lent_unwind()     that Scheme called
 *     a lambda expression      zprof_lent_late()       its name is asked for at its first call
 *
 * With --continue a tail call counts as its caller going on. Klink, a Kernel interpreter, chose
 * that for its profiler: a loop is then one call, however often it turns.
 */
#include "tests/demo/scheme/scheme.h"

#include "preload/zprof.h"

static UNSEEN void describe(void *context, struct zprof_function *function)
{
	const struct procedure *p = context;

	function->name = p->name;
	function->group = "scheme";
	function->file = machine.file;
	function->line = p->line;
}

UNSEEN void lend(struct procedure *p)
{
	p->zone = zprof_lent_late(describe, p);
}

/*
 * A procedure is about to run, called at `site`, with `then` to be done with its value. Returns
 * what is to be done now: with a LEAVE frame on top already, the caller has nothing left to do.
 */
UNSEEN struct frame *enter(struct procedure *p, const struct value *site, struct frame *then)
{
	struct frame *f;

	if (then->kind == LEAVE) {
		zprof_lent_replace(p->zone, machine.tail);
		if (machine.tail == ZPROF_CALL)
			machine.running = p;
		return then;
	}
	zprof_lent_enter_at(p->zone, site ? site->line : 0, site ? site->column : 0);
	f = allocate(sizeof(*f));
	f->kind = LEAVE;
	f->next = then;
	f->running = machine.running;
	machine.running = p;
	return f;
}

UNSEEN void leave(const struct frame *f)
{
	zprof_lent_leave();
	machine.running = f->running;
}

UNSEEN struct value *capture(struct frame *f)
{
	struct value *v = make(CONTINUATION);

	v->k.frame = f;
	v->k.winds = machine.winds;
	v->k.running = machine.running;
	v->k.turn = machine.turn;
	v->k.zones = zprof_lent_capture();
	return v;
}

UNSEEN void restore(const struct value *continuation)
{
	zprof_lent_restore(continuation->k.zones);
	machine.running = continuation->k.running;
}

UNSEEN void begin_turn(struct turn *t)
{
	t->outer = machine.turn;
	t->depth = zprof_lent_depth();
	machine.turn = t;
}

/* A longjmp has come back to a turn's loop, out of turns that it caused. */
UNSEEN void resume_turn(struct turn *t)
{
	zprof_lent_unwind(t->depth);
	machine.turn = t;
}
