/* SPDX-License-Identifier: MIT */
/*
 * syntax.c - derived forms are rewritten into simpler ones, in place, when they are met first. What
 * is left: quote, if, define, set!, begin, parameterize, calls, and lambda expressions as CODE.
 */
#include "tests/demo/scheme/scheme.h"

struct value *s_quote, *s_if, *s_define, *s_set, *s_begin, *s_parameterize;
static struct value *s_lambda, *s_let, *s_letrec, *s_cond, *s_else, *s_and, *s_or, *s_delay,
    *s_when, *s_make_promise;

static UNSEEN struct value *code(const char *name, struct value *parameters, struct value *body,
				 uint32_t at)
{
	struct value *v = make(CODE);

	v->code = allocate(sizeof(*v->code));
	v->code->name = name;
	v->code->parameters = parameters;
	v->code->body = body;
	v->code->line = at;
	v->code->next = machine.procedures;
	machine.procedures = v->code;
	lend(v->code);
	return v;
}

static UNSEEN struct value *let(struct value *e)
{
	struct value *name = NULL, *bindings = e->cdr->car, *body = e->cdr->cdr, *names = &nil,
		     *values = &nil, *function;
	struct value **names_end = &names, **values_end = &values;

	if (bindings->type == SYMBOL) {
		name = bindings;
		bindings = body->car;
		body = body->cdr;
	}
	for (; bindings->type == PAIR; bindings = bindings->cdr) {
		*names_end = cons(bindings->car->car, &nil);
		names_end = &(*names_end)->cdr;
		*values_end = cons(bindings->car->cdr->car, &nil);
		values_end = &(*values_end)->cdr;
	}
	function = code(name ? name->text : "let", names, body, e->line);
	if (!name)
		return cons(function, values);
	return cons(
	    cons(code("let", &nil, list(2, list(3, s_define, name, function), name), e->line),
		 &nil),
	    values);
}

static UNSEEN struct value *letrec(struct value *e)
{
	struct value *body = e->cdr->cdr, *b;

	for (b = e->cdr->car; b->type == PAIR; b = b->cdr)
		body = cons(cons(s_define, b->car), body);
	return list(1, code("letrec", &nil, body, e->line));
}

static UNSEEN struct value *cond(struct value *clauses)
{
	struct value *c;

	if (clauses == &nil)
		return list(2, s_quote, &nothing);
	c = clauses->car;
	if (c->car == s_else)
		return cons(s_begin, c->cdr);
	return list(4, s_if, c->car, cons(s_begin, c->cdr), cond(clauses->cdr));
}

static UNSEEN struct value *and_or(struct value *head, struct value *rest)
{
	struct value *name = symbol(" value");

	if (rest == &nil)
		return truth(head == s_and);
	if (rest->cdr == &nil)
		return rest->car;
	if (head == s_and)
		return list(4, s_if, rest->car, cons(s_and, rest->cdr), &no);
	return list(
	    2,
	    code("or", list(1, name), list(1, list(4, s_if, name, name, cons(s_or, rest->cdr))), 0),
	    rest->car);
}

/* (define (f x) ...) and (define f (lambda (x) ...)) name the procedure. */
static UNSEEN struct value *define(struct value *e)
{
	struct value *head = pair(e->cdr, "define")->car, *value;

	if (head->type == PAIR)
		return list(3, s_define, head->car,
			    code(head->car->text, head->cdr, e->cdr->cdr, e->line));
	value = pair(e->cdr->cdr, "define")->car;
	if (value->type == PAIR && value->car == s_lambda)
		return list(3, s_define, head,
			    code(head->text, value->cdr->car, value->cdr->cdr, e->line));
	return NULL;
}

/* NULL: it is not a derived form. */
static UNSEEN struct value *rewrite(struct value *e)
{
	struct value *head = e->car;

	if (head->type != SYMBOL)
		return NULL;
	if (head == s_lambda)
		return code("lambda", e->cdr->car, e->cdr->cdr, e->line);
	if (head == s_let)
		return let(e);
	if (head == s_letrec)
		return letrec(e);
	if (head == s_cond)
		return cond(e->cdr);
	if (head == s_and || head == s_or)
		return and_or(head, e->cdr);
	if (head == s_when)
		return list(3, s_if, e->cdr->car, cons(s_begin, e->cdr->cdr));
	if (head == s_delay)
		return list(2, s_make_promise, code("delay", &nil, e->cdr, e->line));
	if (head == s_define)
		return define(e);
	return NULL;
}

UNSEEN struct value *expanded(struct value *e)
{
	struct value *simpler;

	while (e->type == PAIR && (simpler = rewrite(e))) {
		uint32_t at_line = e->line, at_column = e->column;

		*e = *simpler;
		e->line = at_line;
		e->column = at_column;
	}
	return e;
}

UNSEEN void syntax_init(void)
{
	s_quote = symbol("quote");
	s_if = symbol("if");
	s_define = symbol("define");
	s_set = symbol("set!");
	s_lambda = symbol("lambda");
	s_begin = symbol("begin");
	s_let = symbol("let");
	s_letrec = symbol("letrec");
	s_cond = symbol("cond");
	s_else = symbol("else");
	s_and = symbol("and");
	s_or = symbol("or");
	s_delay = symbol("delay");
	s_parameterize = symbol("parameterize");
	s_when = symbol("when");
	s_make_promise = symbol("make-promise");
}
