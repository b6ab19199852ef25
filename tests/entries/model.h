/* SPDX-License-Identifier: MIT */
/*
 * model.h - a made-up program whose functions end without a hook. The code is a few bytes that never run,
 * the call frame information is computed, and the stacks are real memory with real return addresses. So
 * the library's own unwinder walks these stacks, while the program takes ways that no compiler makes.
 *
 *     model.c            draws what the program does next, and compares the library with what is true
 *     model_code.c       the functions: where they begin, and how their frames are found
 *     model_stack.c      frames, with what a processor and a kernel would write there
 *     model_counts.c     calls of each context, counted plainly, beside those of the profile
 *
 * (tests/hooks/model.h has the same for pairs of hooks.)
 */
#ifndef ENTRIES_MODEL_H
#define ENTRIES_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
	MODEL_HOOKED = 8,  /* functions 0 to 7 call a hook as they begin */
	MODEL_BARE = 14,   /* 8 to 13 call none */
	MODEL_START = 14,  /* the outermost frame of a stack */
	MODEL_RETURN = 15, /* where a signal handler returns to */
	MODEL_HOOK = 16,   /* the library's hook, which a signal may interrupt */
	MODEL_CODES = 17,
	MODEL_PLACES = 5, /* of a function or a part: where it calls others */
	MODEL_DEPTH = 60,
	MODEL_STACKS = 4, /* 0, 1: threads' own; 2, 3: coroutines' */
	MODEL_STACK_BYTES = 1 << 18,
};

/* ---- code (model_code.c) */

/* How a function's frame is found, and what the function does with rbp. */
enum model_kind {
	MODEL_BY_SP,     /* rbp is the caller's */
	MODEL_BY_RBP,    /* alloca may move the stack pointer */
	MODEL_BORROWING, /* found by the stack pointer; rbp is saved, and holds any value */
	MODEL_REALIGNED, /* the CFA is in memory, at rbp - 8 */
};

void model_make_code(void);
uintptr_t model_zone(int function);
enum model_kind model_kind(int function);

/* Where the call at a place of the function, or of its part, returns to. */
uintptr_t model_place(int function, bool part, int place);

/* Where the stack pointer is at a place of a frame that is found by it: so far below the CFA. */
uintptr_t model_distance(int function, int place);

/* ---- stacks (model_stack.c) */

struct frame {
	int function;
	bool part;    /* control is in the part that was split off */
	bool entered; /* the hook has recorded the call */
	int place;    /* where control is */
	uintptr_t cfa, sp, bp;
	uintptr_t before; /* rbp as the function was called */
};

struct line {
	int count;
	struct frame frame[MODEL_DEPTH];
	uintptr_t start;
};

struct frame *line_top(struct line *line);
void line_empty(struct line *line);

/* Control goes to a place of the top frame, which may move the stack pointer. */
void line_move(struct line *line, bool part, int place);

/* The top frame calls a function. */
void line_call(struct line *line, int function);

/* The top frame ends with a jump to a function. */
void line_tail_call(struct line *line, int function);

/* A signal: its frame is put at `top`, or below the top frame if `top` is 0. */
void line_interrupt(struct line *line, uintptr_t top);

/* A hook is called by the top frame as its first instruction. */
void line_hook(struct line *line);

/* Whether the part of the stack that the top frame is on is the signal stack. */
bool line_is_alternate(const struct line *line);

/* ---- what is true (model_counts.c) */

/* A state of the zone stack, outermost first. */
struct path {
	int count;
	uint8_t zone[4 * MODEL_DEPTH];
};

/* Whether two paths are of the same context: recursion may be folded. */
bool path_is(const struct path *a, const struct path *b, bool folded);

struct path path_of_line(const struct line *line);

struct zprof_node;
struct path path_of_node(const char *base, const struct zprof_node *node);

void counts_clear(void);
void counts_add(const struct path *path, bool folded);

/* How many contexts were called another number of times than the current profile says. */
int counts_differing(bool folded);

/* ---- the program (model.c) */

extern uintptr_t model_alternate_top;
unsigned model_chance(unsigned n);

#endif
