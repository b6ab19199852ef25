/* SPDX-License-Identifier: MIT */
/*
 * combiner.c - an interpreter of the kind that a call-stack profiler cannot see into: its frames
 * are on the heap, its one loop runs everything, and its stack holds call frames, guards and
 * dynamic variables side by side. It lends its combiners, with a counter of evaluation steps.
 *
 * A combiner's body is a list of operations; each takes one step, and WORK as many as it says:
 *
 *     WORK n   works
 *     LET      makes a dynamic variable
 *     CALL c
 *     TURN c   a tail call, as long as there are turns left
 *     FORCE p  a promise: calls its combiner the first time
 *     MAP c    native code that evaluates c three times, in loops of the evaluator's own
 *     GUARD c  c runs when an escape leaves the frame this stands in
 *     KEEP     captures a continuation
 *     AGAIN n  resumes it, a fixed number of times: 0 escapes from a call that is still open, 1 revives one that has returned
 *
 * The evaluator counts the steps of each combiner itself and prints them; the profile must have the
 * same. `combiner calls` counts a tail call as a call, `combiner continues` as the old call going
 * on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/zprof.h"

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline))

enum operation { END, WORK, LET, CALL, TURN, FORCE, MAP, GUARD, KEEP, AGAIN };

struct step {
	enum operation operation;
	int argument;
};

enum {
	MAIN,
	SQUARE,
	SUM,
	LOOP,
	EVEN,
	ODD,
	LAZY,
	SCAN,
	CLEANUP,
	GENERATE,
	ESCAPE,
	REVIVE,
	COMBINERS
};

struct combiner {
	const char *name;
	int line;
	struct step body[12];
	uint32_t zone;
	uint64_t steps;
};

static struct combiner combiners[COMBINERS] = {
    [MAIN] = {"main",
	      1,
	      {{CALL, SUM},
	       {CALL, LOOP},
	       {CALL, EVEN},
	       {FORCE, LAZY},
	       {FORCE, LAZY},
	       {CALL, SCAN},
	       {CALL, GENERATE},
	       {WORK, 4}},
	      0,
	      0},
    [SQUARE] = {"square", 10, {{WORK, 5}}, 0, 0},
    [SUM] = {"sum", 20, {{MAP, SQUARE}, {LET, 0}, {CALL, SQUARE}, {WORK, 2}}, 0, 0},
    [LOOP] = {"loop", 30, {{TURN, LOOP}}, 0, 0},
    [EVEN] = {"even?", 40, {{WORK, 1}, {TURN, ODD}}, 0, 0},
    [ODD] = {"odd?", 41, {{WORK, 2}, {TURN, EVEN}}, 0, 0},
    [LAZY] = {"lazy", 50, {{WORK, 11}, {CALL, SQUARE}}, 0, 0},
    [SCAN] = {"scan", 60, {{KEEP, 0}, {GUARD, CLEANUP}, {CALL, ESCAPE}, {WORK, 1000}}, 0, 0},
    [CLEANUP] = {"cleanup", 70, {{WORK, 30}, {CALL, SQUARE}}, 0, 0},
    [GENERATE] = {"generate", 80, {{CALL, REVIVE}, {WORK, 6}}, 0, 0},
    [ESCAPE] = {"escape", 90, {{WORK, 3}, {AGAIN, 0}}, 0, 0},
    [REVIVE] = {"revive", 100, {{WORK, 7}, {AGAIN, 1}}, 0, 0},
};

/* One frame of the interpreted stack. */
struct frame {
	struct frame *next;
	enum { CALLED, GUARDED, VARIABLE } kind;
	struct combiner *combiner; /* the one that runs, or the guard */
	/* The one called: not `combiner` after a tail call that continues it. */
	struct combiner *charged;
	int at;
	int *forces; /* the promise that is fulfilled when this returns */
	int serial;  /* the same in copies */
};

struct continuation {
	struct frame *stack;
	uint64_t zones;
};

static uint64_t steps;
static int turns, alternations = 10, resumptions[] = {2, 1}, forced[COMBINERS], serials, tail_how;
static struct continuation kept;

static void evaluate(struct combiner *c);

UNSEEN static struct frame *push(struct frame *next, int kind, struct combiner *c)
{
	struct frame *f = calloc(1, sizeof *f);
	f->next = next;
	f->kind = kind;
	f->combiner = f->charged = c;
	f->serial = ++serials;
	return f;
}

/* Frames change as they run, so a continuation has copies. */
UNSEEN static struct frame *copy(const struct frame *from)
{
	struct frame *to;
	if (!from)
		return NULL;
	to = malloc(sizeof *to);
	*to = *from;
	to->next = copy(from->next);
	return to;
}

UNSEEN static int is_in(const struct frame *stack, int serial)
{
	while (stack && stack->serial != serial)
		stack = stack->next;
	return stack != NULL;
}

UNSEEN static struct frame *call(struct frame *stack, struct combiner *c, int line)
{
	zprof_lent_enter_at(c->zone, (uint32_t)line, 1);
	return push(stack, CALLED, c);
}

/* The innermost guard that an escape would leave. */
UNSEEN static struct frame *guard_on_the_way(struct frame *stack)
{
	for (; stack; stack = stack->next)
		if (stack->kind == GUARDED && !is_in(kept.stack, stack->serial))
			return stack;
	return NULL;
}

/* Returns what runs next. A guard is called first, and the operation that escapes comes again after
 * it. */
UNSEEN static struct frame *again(struct frame *stack, int which)
{
	struct frame *guard;
	if (!resumptions[which])
		return stack;
	guard = guard_on_the_way(stack);
	if (guard) {
		guard->kind = VARIABLE;
		stack->at--;
		return call(stack, guard->combiner, guard->combiner->line);
	}
	resumptions[which]--;
	zprof_lent_restore(kept.zones);
	return copy(kept.stack);
}

UNSEEN static struct frame *return_from(struct frame *stack)
{
	if (stack->forces)
		*stack->forces = 1;
	zprof_lent_leave();
	stack = stack->next;
	while (stack && stack->kind != CALLED)
		stack = stack->next;
	return stack;
}

static APART void map_native(struct combiner *c)
{
	for (int i = 0; i < 3; i++)
		evaluate(c);
}

UNSEEN static void count(struct combiner *c, uint64_t n)
{
	steps += n;
	c->steps += n;
}

/* Variables and guards stand below the frame that made them. */
UNSEEN static void insert(struct frame *stack, int kind, struct combiner *c)
{
	stack->next = push(stack->next, kind, c);
}

UNSEEN static struct frame *tail(struct frame *stack, struct combiner *c)
{
	zprof_lent_replace(c->zone, tail_how);
	stack->combiner = c;
	if (tail_how == ZPROF_CALL)
		stack->charged = c;
	stack->at = 0;
	return stack;
}

/*
 * One operation; gives the frame to go on with, NULL at the end. It enters zones that outlive it,
 * so it must not be a zone itself: evaluate(), whose loop this is, carries them.
 */
UNSEEN static APART struct frame *cycle(struct frame *stack)
{
	struct combiner *self = stack->combiner;
	struct step op = self->body[stack->at++];
	struct combiner *c = &combiners[op.argument];
	if (op.operation == END)
		return return_from(stack);
	count(stack->charged, op.operation == WORK ? (uint64_t)op.argument : 1);
	switch (op.operation) {
	case LET:
		insert(stack, VARIABLE, NULL);
		break;
	case CALL:
		return call(stack, c, self->line);
	case TURN:
		return (self == &combiners[LOOP] ? turns-- : alternations--) > 0 ? tail(stack, c)
										 : stack;
	case FORCE:
		if (forced[op.argument])
			break;
		stack = call(stack, c, self->line);
		stack->forces = &forced[op.argument];
		break;
	case MAP:
		map_native(c);
		break;
	case GUARD:
		insert(stack, GUARDED, c);
		break;
	case KEEP:
		kept.stack = copy(stack);
		kept.zones = zprof_lent_capture();
		break;
	case AGAIN:
		return again(stack, op.argument);
	default:
		break;
	}
	return stack;
}

static APART void evaluate(struct combiner *c)
{
	struct frame *stack = call(NULL, c, 0);
	while (stack)
		stack = cycle(stack);
}

int main(int argc, char **argv)
{
	tail_how = argc > 1 && !strcmp(argv[1], "continues") ? ZPROF_CONTINUE : ZPROF_CALL;
	turns = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1000000;
	for (int i = 0; i < COMBINERS; i++)
		combiners[i].zone = zprof_lent(combiners[i].name, "kernel", "prolog.k",
					       (uint32_t)combiners[i].line);
	zprof_lent_counter("steps", &steps);
	evaluate(&combiners[MAIN]);
	for (int i = 0; i < COMBINERS; i++)
		printf("%s %llu\n", combiners[i].name, (unsigned long long)combiners[i].steps);
	return 0;
}
