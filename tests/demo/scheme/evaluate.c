/* SPDX-License-Identifier: MIT */
/* evaluate.c - the evaluator: one step after the other. See scheme.h. */
#include "tests/demo/scheme/scheme.h"

UNSEEN struct frame *push(struct frame *next, int kind, struct value *expression,
			  struct value *scope, struct value *done)
{
	struct frame *f = allocate(sizeof(*f));

	f->next = next;
	f->kind = (unsigned)kind;
	f->expression = expression;
	f->scope = scope;
	f->done = done;
	return f;
}

/* Where a name's value is kept; NULL: it has none. */
static UNSEEN struct value **place(struct value *name, struct value *scope)
{
	for (; scope != &nil; scope = scope->cdr)
		if (scope->car->car == name)
			return &scope->car->cdr;
	return name->global ? &name->global : NULL;
}

/* Scopes begin with a pair of NULL, before which definitions are put. */
static UNSEEN void bind(struct value *name, struct value *value, struct value *scope)
{
	if (scope == &nil)
		name->global = value;
	else
		scope->cdr = cons(cons(name, value), scope->cdr);
}

static UNSEEN struct value *new_scope(struct procedure *p, struct value *arguments,
				      struct value *outer)
{
	struct value *names = p->parameters, *scope = outer;

	if (!p->next) /* the program itself, whose definitions are global */
		return &nil;
	for (; names->type == PAIR && arguments->type == PAIR;
	     names = names->cdr, arguments = arguments->cdr)
		scope = cons(cons(names->car, arguments->car), scope);
	if (names->type == SYMBOL)
		scope = cons(cons(names, arguments), scope);
	else if (names->type == PAIR || arguments->type == PAIR)
		fail("%s:%u: %s: wrong number of arguments", machine.file, p->line, p->name);
	return cons(cons(NULL, NULL), scope);
}

UNSEEN void value_is(struct value *v)
{
	machine.turn->expression = NULL;
	machine.turn->value = v;
}

static UNSEEN void evaluate_next(struct value *expression, struct value *scope)
{
	machine.turn->expression = expression;
	machine.turn->scope = scope;
}

static UNSEEN void sequence(struct value *body, struct value *scope)
{
	if (body->type != PAIR) {
		value_is(&nothing);
		return;
	}
	if (body->cdr->type == PAIR)
		machine.turn->frame = push(machine.turn->frame, SEQUENCE, body->cdr, scope, NULL);
	evaluate_next(body->car, scope);
}

/* The innermost binding of a dynamic variable. */
static UNSEEN struct value *parameter(struct value *p)
{
	const struct frame *f;

	for (f = machine.turn->frame; f; f = f->next)
		if (f->kind == BIND && f->done == p)
			return f->expression;
	return p->result;
}

UNSEEN void apply(struct value *f, struct value *arguments, const struct value *site)
{
	struct procedure *p;
	struct value *v;
	int n = 0;

	switch (f->type) {
	case CLOSURE:
		p = f->code;
		machine.turn->frame = enter(p, site, machine.turn->frame);
		sequence(p->body, new_scope(p, arguments, f->scope));
		return;
	case PRIMITIVE:
		for (v = arguments; v->type == PAIR; v = v->cdr)
			n++;
		if (n < f->primitive->least || (f->primitive->most >= 0 && n > f->primitive->most))
			fail("%s: wrong number of arguments", f->primitive->name);
		v = f->primitive->run(arguments);
		if (v)
			value_is(v);
		return;
	case CONTINUATION:
		rewind_to(f, arguments->type == PAIR ? arguments->car : &nothing);
		return;
	case PARAMETER:
		value_is(parameter(f));
		return;
	default:
		fail("%s:%u: what is called is not a procedure", machine.file,
		     site ? site->line : 0);
	}
}

static UNSEEN void evaluate_pair(struct value *e, struct value *scope)
{
	struct value *head = e->car;

	if (head == s_quote)
		value_is(e->cdr->car);
	else if (head == s_begin)
		sequence(e->cdr, scope);
	else if (head == s_parameterize && e->cdr->car == &nil)
		sequence(e->cdr->cdr, scope);
	else {
		int kind = head == s_if             ? IF
			   : head == s_define       ? DEFINE
			   : head == s_set          ? SET
			   : head == s_parameterize ? BINDING
						    : ARGUMENTS;

		machine.turn->frame = push(machine.turn->frame, kind, e->cdr, scope, &nil);
		machine.turn->frame->site = e;
		if (kind == IF)
			evaluate_next(e->cdr->car, scope);
		else if (kind == ARGUMENTS)
			evaluate_next(head, scope);
		else if (kind == BINDING)
			evaluate_next(e->cdr->car->car->car, scope);
		else
			evaluate_next(pair(e->cdr->cdr, "define")->car, scope);
	}
}

static UNSEEN void evaluate_expression(struct value *e, struct value *scope)
{
	struct value *v, **at;

	switch (e->type) {
	case SYMBOL:
		at = place(e, scope);
		if (!at)
			fail("'%s' has no value", e->text);
		value_is(*at);
		return;
	case CODE:
		v = make(CLOSURE);
		v->code = e->code;
		v->scope = scope;
		value_is(v);
		return;
	case PAIR:
		evaluate_pair(e, scope);
		return;
	default:
		value_is(e);
	}
}

static UNSEEN void set(struct value *name, struct value *scope, struct value *value)
{
	struct value **at = place(name, scope);

	if (!at)
		fail("'%s' has no value to change", name->text);
	*at = value;
	value_is(&nothing);
}

/* (parameterize ((p e) ...) body): p is known, and e is next; then e is known, and the rest is
 * next. */
static UNSEEN void bind_parameter(const struct frame *f, struct value *v)
{
	struct value *bindings = f->expression->car, *rest;

	if (f->done == &nil) {
		machine.turn->frame = push(f->next, BINDING, f->expression, f->scope, v);
		evaluate_next(bindings->car->cdr->car, f->scope);
		return;
	}
	rest = cons(s_parameterize, cons(bindings->cdr, f->expression->cdr));
	machine.turn->frame = push(f->next, BIND, v, NULL, f->done);
	evaluate_next(rest, f->scope);
}

static UNSEEN void argument(const struct frame *f, struct value *v)
{
	struct value *done = cons(v, f->done);

	if (f->expression->type == PAIR) {
		machine.turn->frame = push(f->next, ARGUMENTS, f->expression->cdr, f->scope, done);
		machine.turn->frame->site = f->site;
		evaluate_next(f->expression->car, f->scope);
		return;
	}
	done = reverse(done);
	apply(done->car, done->cdr, f->site);
}

/* ---- one step */

static UNSEEN void go_on(struct frame *f, struct value *v)
{
	machine.turn->frame = f->next;
	switch (f->kind) {
	case LEAVE:
		leave(f);
		return;
	case IF:
		if (v != &no)
			evaluate_next(f->expression->cdr->car, f->scope);
		else
			sequence(f->expression->cdr->cdr, f->scope);
		return;
	case SEQUENCE:
		sequence(f->expression, f->scope);
		return;
	case DEFINE:
		bind(f->expression->car, v, f->scope);
		value_is(&nothing);
		return;
	case SET:
		set(f->expression->car, f->scope, v);
		return;
	case ARGUMENTS:
		argument(f, v);
		return;
	case BINDING:
		bind_parameter(f, v);
		return;
	case FORCE:
		if (!f->expression->result)
			f->expression->result = v;
		value_is(f->expression->result);
		return;
	case WIND:
		guard_entered(f);
		return;
	case UNWIND:
		guard_left(f, v);
		return;
	case REWIND:
		if (f->wind)
			machine.winds = f->wind;
		rewind_to(f->expression, f->done);
		return;
	case GIVE:
		value_is(f->done);
		return;
	default: /* BIND: with the frame, its variable goes out of scope */
		return;
	}
}

/* False: machine.turn has its value. */
static UNSEEN bool step(struct turn *t)
{
	machine.steps++;
	machine.running->steps++;
	if (t->expression)
		evaluate_expression(expanded(t->expression), t->scope);
	else if (t->frame->kind == HALT)
		return false;
	else
		go_on(t->frame, t->value);
	return true;
}

static __attribute__((noinline)) void evaluate(struct turn *t)
{
	begin_turn(t);
	if (setjmp(t->again)) {
		resume_turn(t);
		restore(t->arrived);
	}
	while (step(t))
		;
	machine.turn = t->outer;
}

/* Calls a procedure from native code. */
struct value *call(struct value *f, struct value *arguments)
{
	struct turn t = {.expression = cons(f, &nil),
			 .scope = &nil,
			 .frame = push(NULL, HALT, NULL, NULL, NULL)};
	struct value **end = &t.expression->cdr;

	for (; arguments->type == PAIR; arguments = arguments->cdr) {
		*end = list(1, list(2, s_quote, arguments->car));
		end = &(*end)->cdr;
	}
	evaluate(&t);
	return t.value;
}
