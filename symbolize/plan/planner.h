/* SPDX-License-Identifier: MIT */
/*
 * planner.h - what is known of a module while its plan is made. The steps, each a file, in order:
 *
 *     module.c     the file
 *     frames.c     its pieces of code: one for each FDE
 *     places.c     what the next steps note of places
 *     sweep.c      decodes all code: instructions, branches, addresses that are taken
 *     evidence.c   symbols, relocations, and addresses in data
 *     tables.c     jump tables
 *     classes.c    which pieces are functions, and which are parts of functions
 *     windows.c    which bytes of each function move, or why none can
 *     planner.c    calls the steps, and lays out the plan
 *
 * The rule behind all steps: an address that may be jumped to is a *target*, and no target is ever
 * covered. A target too many leaves a function alone; one too few makes the program crash. So
 * whatever looks like an address of code is a target.
 *
 * ## Memory
 *
 * libLLVM has 65 MB of code, and a quarter of its instructions are branches. So what is known of
 * places in code is three bits for each byte; only jumps from one piece to another are kept one by one.
 * Entries of jump tables are not kept: false tables have millions.
 */
#ifndef SYMBOLIZE_PLAN_PLANNER_H
#define SYMBOLIZE_PLAN_PLANNER_H

#include "symbolize/plan/frames.h"
#include "symbolize/plan/module.h"

#define PLANNER_NONE UINT32_MAX

/* A piece of code, the same number as its FDE. */
struct planner_code {
	uint32_t owner;      /* number of the function that the code belongs to; PLANNER_NONE */
	uint32_t first_jump; /* its first planner_jump; the last is before that of the next code */
	uint32_t from_table; /* the first other code whose jump table leads to the start */
	uint32_t to_table;   /* the first other code that its own jump tables lead into */
	uint8_t class;       /* enum plan_class */
	uint8_t refusal;     /* enum plan_refusal */
	bool stubs, unknown; /* of the procedure linkage table; has bytes that are no instruction */
	bool mixed;          /* has data between its instructions: see sweep.c */
	bool signal, outermost;
	bool framed;          /* at its start */
	bool evidence;        /* something tells that the start is a function's */
	bool jumped;          /* some jump leads to the start, from elsewhere */
	bool jumped_framed;   /* the same, from inside a stack frame */
	bool own_jump;        /* a jump of its own leads to the start */
	bool indirect;        /* has an indirect jump */
	bool indirect_framed; /* the same, inside a stack frame */
	bool own_table;       /* has a jump table that leads into the code itself */
	bool no_table;        /* the code, or a part of it, has indirect_framed and no table */
};

/* A jump from one code into another. */
struct planner_jump {
	uint32_t from, to; /* numbers of codes */
	uint32_t at;       /* where in `to` */
	bool start;        /* to the start of `to`, not to its middle */
};

/* The rule of the CFA (frames_rule()) at an indirect jump of a code, inside a stack frame. */
struct planner_rule {
	uint64_t rule;
	uint32_t code; /* the jump's; later, if there is no table for the jump, the owner's */
};

/* Where a jump table of a code may begin. */
struct planner_base {
	uint32_t at, code;
};

struct planner {
	struct module module;
	struct frames frames;
	struct planner_code *codes;
	/* One bit for each byte of [text_start, text_end): a code begins there; an instruction of a
	 * code begins there; the place may be jumped to, or its address is taken. */
	uint8_t *starts, *boundaries, *targets;
	struct planner_jump *jumps;
	size_t jump_count, jump_room;
	uint32_t *strays; /* places that are jumped to, where no instruction has been decoded yet */
	size_t stray_count, stray_room;
	struct planner_rule *rules;
	size_t rule_count, rule_room;
	struct planner_base *bases;
	size_t base_count, base_room;
	bool exhausted; /* memory was short */
};

static inline bool planner_in_text(const struct planner *p, uint32_t offset)
{
	return offset - p->module.text_start < p->module.text_end - p->module.text_start;
}

static inline bool planner_bit(const struct planner *p, const uint8_t *bits, uint32_t offset)
{
	uint32_t n = offset - p->module.text_start;
	return bits[n / 8] >> n % 8 & 1;
}

static inline void planner_set(const struct planner *p, uint8_t *bits, uint32_t offset)
{
	uint32_t n = offset - p->module.text_start;
	bits[n / 8] |= (uint8_t)(1u << n % 8);
}

/* The number of the code that OFFSET is in; PLANNER_NONE. */
uint32_t planner_code_at(const struct planner *p, uint32_t offset);

/* OFFSET may be jumped to; anything outside of the text is left out. */
void planner_target(struct planner *p, int64_t offset);

/* OFFSET is a target, and something tells that it is a function's start, if a code begins there. */
void planner_evidence(struct planner *p, int64_t offset);

/*
 * Makes the plan of the file at PATH, in memory to be freed: *PLAN of *BYTES. A file of which no plan
 * can be made has an empty plan, which says why. NULL: done. Otherwise why not: the file cannot be
 * opened, or memory is short.
 */
const char *planner_make(const char *path, void **plan, size_t *bytes);

void planner_sweep(struct planner *p);

/* OFFSET, in a code, is jumped to. If no instruction begins there, planner_sweep_strays() looks. */
void planner_stray(struct planner *p, uint32_t offset);
void planner_sweep_strays(struct planner *p);

void planner_find_evidence(struct planner *p);
void planner_find_tables(struct planner *p);
void planner_classify(struct planner *p);

/* A window, as it goes into the plan; refused: the code's `refusal` is set. */
bool planner_window(struct planner *p, uint32_t code, struct plan_window *window,
		    struct plan_instruction *instructions);

#endif
