/* SPDX-License-Identifier: MIT */
/* value.c - values: made, read off, printed. See scheme.h. */
#include "tests/demo/scheme/scheme.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value nil = {.type = NIL}, no = {.type = BOOLEAN}, yes = {.type = BOOLEAN, .number = 1},
	     nothing = {.type = NOTHING};

static struct value *symbols = &nil;

UNSEEN _Noreturn void fail(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fprintf(stderr, "scheme: ");
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	longjmp(machine.failed, 1);
}

UNSEEN void *allocate(size_t bytes)
{
	static char *room;
	static size_t left;
	void *memory;

	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes > left) {
		left = (size_t)16 << 20;
		room = calloc(1, left);
		if (!room)
			fail("out of memory");
	}
	memory = room;
	room += bytes;
	left -= bytes;
	return memory;
}

UNSEEN struct value *make(enum type type)
{
	struct value *v = allocate(sizeof(*v));

	v->type = type;
	return v;
}

UNSEEN struct value *cons(struct value *car, struct value *cdr)
{
	struct value *v = make(PAIR);

	v->car = car;
	v->cdr = cdr;
	return v;
}

UNSEEN struct value *number(long n)
{
	struct value *v = make(NUMBER);

	v->number = n;
	return v;
}

UNSEEN struct value *list(int n, ...)
{
	struct value *v = &nil, **end = &v;
	va_list items;

	va_start(items, n);
	for (; n > 0; n--) {
		*end = cons(va_arg(items, struct value *), &nil);
		end = &(*end)->cdr;
	}
	va_end(items);
	return v;
}

UNSEEN struct value *symbol(const char *text)
{
	struct value *s;

	for (s = symbols; s != &nil; s = s->cdr)
		if (!strcmp(s->car->text, text))
			return s->car;
	s = make(SYMBOL);
	s->text = strcpy(allocate(strlen(text) + 1), text);
	symbols = cons(s, symbols);
	return s;
}

UNSEEN struct value *reverse(struct value *v)
{
	struct value *r = &nil;

	for (; v->type == PAIR; v = v->cdr)
		r = cons(v->car, r);
	return r;
}

UNSEEN struct value *truth(int n)
{
	return n ? &yes : &no;
}

UNSEEN struct value *pair(struct value *v, const char *what)
{
	if (v->type != PAIR)
		fail("%s: a pair is missing", what);
	return v;
}

UNSEEN void print(const struct value *v)
{
	switch (v->type) {
	case NUMBER:
		printf("%ld", v->number);
		return;
	case BOOLEAN:
		printf(v->number ? "#t" : "#f");
		return;
	case SYMBOL:
	case STRING:
		printf("%s", v->text);
		return;
	case NIL:
		printf("()");
		return;
	case PAIR:
		for (putchar('('); v->type == PAIR; v = v->cdr) {
			print(v->car);
			if (v->cdr->type == PAIR)
				putchar(' ');
		}
		if (v->type != NIL) {
			printf(" . ");
			print(v);
		}
		putchar(')');
		return;
	case CLOSURE:
		printf("#<procedure %s>", v->code->name);
		return;
	default:
		printf("#<%s>", v->type == NOTHING ? "nothing" : "object");
	}
}
