/* SPDX-License-Identifier: MIT */
/*
 * model_world.h - what is really open in the made-up program, on which of its stacks: what the
 * library has to find out, and the reference is told.
 */
#ifndef MODEL_WORLD_H
#define MODEL_WORLD_H

#include "tests/hooks/model.h"
#include "tests/hooks/model_reference.h"

enum {
	WORLD_DEPTH = 40,
	WORLD_STACK_BYTES = 1 << 20,
	WORLD_NEVER = 99, /* a level to which nothing jumps */
};

struct entry {
	unsigned uid;
	int place;
	uintptr_t cfa, sp;
	bool alternate; /* on the signal stack */
};

/* The zones really open on a stack, or in a handler that interrupted a hook. */
struct line {
	int count;
	struct entry entry[WORLD_DEPTH];
	uintptr_t start; /* the stack pointer before the first entry */
	bool alternate;
	bool jumped; /* a jump has come since the last event */
	/* A place that was left while its host goes on: it must be entered next; -1: none. */
	int same_place;
	bool same_zone; /* the top, in the same frame, has the zone of the place that was left */
};

struct world {
	struct line stack[REF_STACKS]; /* 0, 1: threads' own; 2, 3: coroutines' */
	int own, on;                   /* the thread's own; the one it is on */
	struct line *line[REF_LEVELS]; /* by level, of those in use */
	bool on_alternate[REF_LEVELS]; /* the level's hook runs on the signal stack */
	int limit[REF_LEVELS];         /* zones that a handler in the level's hook can jump to */
	uintptr_t alternate_top;
	unsigned uids;
	int levels;                 /* hooks being interrupted at this moment */
	bool abandoned[REF_LEVELS]; /* the hook of that level was left by a jump, and no event has
				       come since */
	bool threadless;            /* the last thread has ended */
	bool early;                 /* a handler runs that came before the hook had begun */
};

extern struct world world;

/* Chance is a number that each draw changes; all of a batch follows from its first value. */
extern uint64_t world_state;
extern bool world_verbose; /* print every event */
extern long world_events;  /* of the batch so far */

/* Below n. */
unsigned world_chance(unsigned n);

void world_say(const char *what, int a, int b);

/* Ends the batch: the library and the reference differ. (In model.c, which knows the batch.) */
_Noreturn void world_fail(const char *what, int64_t got, int64_t wanted);

/* Reserves the stacks; none is in use. */
void world_make(void);

/* Nothing is open there any more. */
void world_empty(struct line *line);

#endif
