/* SPDX-License-Identifier: MIT */
/*
 * scheme.h - a small Scheme that lends its procedures to zprof: its values, and what its files do.
 *
 *     scheme [--continue] [--counts] FILE.scm
 *
 * No profiler of C can say where a Scheme program spends its time: one C loop runs all of it, and
 * its stack is a list on the heap that continuations share. So the interpreter itself reports its
 * procedures, with the number of evaluation steps as a second clock. zones.c does that, in a few
 * lines; the rest knows nothing of the profiler.
 *
 * The evaluator (evaluate.c) is a loop over a register machine: expression, scope, continuation.
 * The continuation is a list of frames that are never changed, so call/cc only keeps a pointer to
 * it. A procedure that is running is a LEAVE frame on that list; where one is on top, a call is a
 * tail call. Guards (dynamic-wind), dynamic variables (parameterize) and promises (delay, force)
 * have frames of their own. Memory is never given back.
 *
 * Functions that enter and leave lent zones must not be zones themselves (zprof.h), so all but a
 * few are marked UNSEEN.
 */
#ifndef SCHEME_H
#define SCHEME_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNSEEN __attribute__((no_instrument_function))

enum type {
	NIL,
	BOOLEAN,
	NUMBER,
	SYMBOL,
	STRING,
	PAIR,
	PRIMITIVE,
	CODE,
	CLOSURE,
	CONTINUATION,
	PROMISE,
	PARAMETER,
	NOTHING
};

struct value {
	enum type type;
	uint32_t line, column; /* of a PAIR that was read from a file */
	union {
		long number;
		struct {
			const char *text;     /* STRING, SYMBOL */
			struct value *global; /* SYMBOL: NULL where it has no global value */
		};
		struct {
			struct value *car, *cdr;
		};
		const struct primitive *primitive;
		struct {
			struct procedure *code; /* CODE, CLOSURE */
			struct value *scope;    /* CLOSURE: list of (symbol . value) */
		};
		struct {
			struct frame *frame;
			struct wind *winds;
			struct procedure *running;
			struct turn *turn;
			uint64_t zones;
		} k; /* CONTINUATION */
		struct {
			/* PROMISE: one of them; PARAMETER: its value */
			struct value *thunk, *result;
		};
	};
};

/* A lambda expression: there is one for each in the source. */
struct procedure {
	struct procedure *next;
	const char *name;
	struct value *parameters, *body;
	uint32_t line, zone;
	uint64_t steps; /* our own count of what it did */
};

struct primitive {
	const char *name;
	struct value *(*run)(struct value *arguments); /* NULL: evaluate.c does it itself */
	int least, most;                               /* arguments; most -1: any number */
};

/* What is still to be done with a value, innermost first. */
struct frame {
	struct frame *next;
	enum {
		HALT,
		LEAVE,
		IF,
		SEQUENCE,
		DEFINE,
		SET,
		ARGUMENTS,
		BINDING,
		BIND,
		FORCE,
		WIND,
		UNWIND,
		REWIND,
		GIVE
	} kind;
	struct value *expression, *scope, *done;
	const struct value *site;  /* ARGUMENTS: the call */
	struct procedure *running; /* LEAVE: the procedure that goes on */
	struct wind *wind;
};

/* A dynamic-wind that has been entered and not left. */
struct wind {
	struct wind *next;
	struct value *before, *after;
	int depth;
};

/* One turn of the evaluator's loop: native code that calls Scheme makes another. */
struct turn {
	struct turn *outer;
	jmp_buf again;
	struct value *expression, *scope, *value;
	struct frame *frame;
	size_t depth;                /* of the zone stack */
	const struct value *arrived; /* the continuation that a longjmp here resumes */
};

/* The interpreter's state. */
struct machine {
	struct turn *turn;
	struct wind *winds;
	struct procedure *running;    /* the one that steps are counted for */
	struct procedure *procedures; /* all of them */
	struct procedure nobody;      /* runs before the program does, and after it */
	uint64_t steps;
	int tail; /* what a tail call counts as: ZPROF_CALL or ZPROF_CONTINUE */
	const char *file;
	jmp_buf failed;
};

extern struct machine machine;
extern struct value nil, no, yes, nothing;

/* ---- value.c */

/* An error ends the program. */
_Noreturn void fail(const char *format, ...);
void *allocate(size_t bytes);
struct value *make(enum type type);
struct value *cons(struct value *car, struct value *cdr);
struct value *number(long n);
struct value *list(int n, ...);
struct value *reverse(struct value *list);
struct value *symbol(const char *text);
struct value *truth(int n);
/* The same value; an error unless it is a pair. */
struct value *pair(struct value *v, const char *what);
void print(const struct value *v);

/* ---- read.c */

/* A file's expressions, as a list. NULL: it cannot be read. */
struct value *read_program(const char *file);

/* ---- syntax.c */

extern struct value *s_quote, *s_if, *s_define, *s_set, *s_begin, *s_parameterize;

void syntax_init(void);
/* Derived forms are rewritten into simpler ones, in place, when they are met first. */
struct value *expanded(struct value *expression);

/* ---- zones.c */

void lend(struct procedure *p);
struct frame *enter(struct procedure *p, const struct value *site, struct frame *then);
void leave(const struct frame *f);
struct value *capture(struct frame *f);
void restore(const struct value *continuation);
void begin_turn(struct turn *t);
void resume_turn(struct turn *t);

/* ---- evaluate.c */

struct frame *push(struct frame *next, int kind, struct value *expression, struct value *scope,
		   struct value *done);
void value_is(struct value *v);
void apply(struct value *f, struct value *arguments, const struct value *site);
/* Calls a procedure from native code. */
struct value *call(struct value *f, struct value *arguments);

/* ---- guards.c: dynamic-wind, and the way to a continuation, which may lead through some */

void enter_guard(struct value *before, struct value *thunk, struct value *after);
void guard_entered(const struct frame *f);
void guard_left(const struct frame *f, struct value *v);
void rewind_to(struct value *continuation, struct value *value);

/* ---- primitives.c */

void primitives_init(void);

#endif
