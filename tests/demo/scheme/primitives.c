/* SPDX-License-Identifier: MIT */
/* primitives.c - what is written in C. See scheme.h. */
#include "tests/demo/scheme/scheme.h"

#include <stdio.h>
#include <stdlib.h>

static UNSEEN void force(struct value *promise)
{
	if (promise->type != PROMISE) {
		value_is(promise);
	} else if (promise->result) {
		value_is(promise->result);
	} else {
		machine.turn->frame = push(machine.turn->frame, FORCE, promise, NULL, NULL);
		apply(promise->thunk, &nil, NULL);
	}
}

static UNSEEN long integer(const struct value *v)
{
	if (v->type != NUMBER)
		fail("a number is missing");
	return v->number;
}

#define ARITHMETIC(name, expression)                                                               \
	static UNSEEN struct value *name(struct value *arguments)                                  \
	{                                                                                          \
		long a = integer(arguments->car), b = integer(arguments->cdr->car);                \
                                                                                                   \
		return expression;                                                                 \
	}
ARITHMETIC(add, number(a + b))
ARITHMETIC(subtract, number(a - b))
ARITHMETIC(multiply, number(a *b))
ARITHMETIC(quotient, b ? number(a / b) : (fail("a division by zero"), NULL))
ARITHMETIC(remainder_of, b ? number(a % b) : (fail("a division by zero"), NULL))
ARITHMETIC(equal, truth(a == b))
ARITHMETIC(less, truth(a < b))
ARITHMETIC(greater, truth(a > b))

#define PRIMITIVE_OF(name, expression)                                                             \
	static UNSEEN struct value *name(struct value *a)                                          \
	{                                                                                          \
		return expression;                                                                 \
	}
PRIMITIVE_OF(car, pair(a->car, "car")->car)
PRIMITIVE_OF(cdr, pair(a->car, "cdr")->cdr)
PRIMITIVE_OF(cons_of, cons(a->car, a->cdr->car))
PRIMITIVE_OF(list_of, a)
PRIMITIVE_OF(reversed, reverse(a->car))
PRIMITIVE_OF(is_null, truth(a->car == &nil))
PRIMITIVE_OF(is_pair, truth(a->car->type == PAIR))
PRIMITIVE_OF(is_same, truth(a->car == a->cdr->car))
PRIMITIVE_OF(not_true, truth(a->car == &no))
PRIMITIVE_OF(display, (print(a->car), &nothing))
PRIMITIVE_OF(newline, (putchar('\n'), (void)a, &nothing))
PRIMITIVE_OF(dynamic_wind, (enter_guard(a->car, a->cdr->car, a->cdr->cdr->car), NULL))
PRIMITIVE_OF(force_of, (force(a->car), NULL))
PRIMITIVE_OF(apply_to, (apply(a->car, a->cdr->car, NULL), NULL))
PRIMITIVE_OF(call_cc, (apply(a->car, cons(capture(machine.turn->frame), &nil), NULL), NULL))
PRIMITIVE_OF(error, (print(a->car), putchar('\n'), fail("the program gave up"), NULL))

static UNSEEN struct value *make_promise(struct value *arguments)
{
	struct value *v = make(PROMISE);

	v->thunk = arguments->car;
	return v;
}

static UNSEEN struct value *make_parameter(struct value *arguments)
{
	struct value *v = make(PARAMETER);

	v->result = arguments->car;
	return v;
}

/* qsort() is native code that calls Scheme, through this. */
static struct value *comes_first;

static int in_order(const void *a, const void *b)
{
	struct value *const *x = a, *const *y = b;

	if (call(comes_first, list(2, *x, *y)) != &no)
		return -1;
	return call(comes_first, list(2, *y, *x)) != &no;
}

static struct value *sort(struct value *arguments)
{
	struct value *v, **items, *sorted = &nil;
	size_t n = 0, i = 0;

	for (v = arguments->car; v->type == PAIR; v = v->cdr)
		n++;
	items = allocate(n * sizeof(struct value *));
	for (v = arguments->car; v->type == PAIR; v = v->cdr)
		items[i++] = v->car;
	comes_first = arguments->cdr->car;
	qsort(items, n, sizeof(struct value *), in_order);
	while (n)
		sorted = cons(items[--n], sorted);
	return sorted;
}

static const struct primitive primitives[] = {
    {"+", add, 2, 2},
    {"-", subtract, 2, 2},
    {"*", multiply, 2, 2},
    {"quotient", quotient, 2, 2},
    {"remainder", remainder_of, 2, 2},
    {"=", equal, 2, 2},
    {"<", less, 2, 2},
    {">", greater, 2, 2},
    {"car", car, 1, 1},
    {"cdr", cdr, 1, 1},
    {"cons", cons_of, 2, 2},
    {"list", list_of, 0, -1},
    {"reverse", reversed, 1, 1},
    {"null?", is_null, 1, 1},
    {"pair?", is_pair, 1, 1},
    {"eq?", is_same, 2, 2},
    {"not", not_true, 1, 1},
    {"display", display, 1, 1},
    {"newline", newline, 0, 0},
    {"dynamic-wind", dynamic_wind, 3, 3},
    {"force", force_of, 1, 1},
    {"apply", apply_to, 2, 2},
    {"call/cc", call_cc, 1, 1},
    {"error", error, 1, 1},
    {"make-promise", make_promise, 1, 1},
    {"make-parameter", make_parameter, 1, 1},
    {"sort", sort, 2, 2},
};

UNSEEN void primitives_init(void)
{
	size_t i;

	for (i = 0; i < sizeof(primitives) / sizeof(primitives[0]); i++) {
		struct value *v = make(PRIMITIVE);

		v->primitive = &primitives[i];
		symbol(primitives[i].name)->global = v;
	}
}
