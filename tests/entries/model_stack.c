/* SPDX-License-Identifier: MIT */
/* model_stack.c - see model.h. */
#include "tests/entries/model.h"

/* Where the kernel puts registers, from the handler's CFA (preload/unwind/unwind.c). */
enum { SAVED_RBP = 120, SAVED_SP = 160, SAVED_PC = 168, SIGNAL_BYTES = 256 };

static void store(uintptr_t address, uintptr_t word)
{
	*(uintptr_t *)address = word;
}

struct frame *line_top(struct line *line)
{
	return &line->frame[line->count - 1];
}

/* Whether the function has come to its first instructions alone, and has no frame yet. */
static bool is_new(const struct frame *f)
{
	return f->sp == f->cfa - 8;
}

/* What a function's first instructions do. */
static void begin(struct line *line, int function, uintptr_t cfa, uintptr_t bp)
{
	struct frame *f = &line->frame[line->count++];

	*f =
	    (struct frame){.function = function, .cfa = cfa, .sp = cfa - 8, .bp = bp, .before = bp};
}

/* Its prologue, after the call of the hook. */
static void make_frame(struct line *line)
{
	struct frame *f = line_top(line);

	if (model_kind(f->function) != MODEL_BY_SP)
		store(f->cfa - 16, f->bp);
	switch (model_kind(f->function)) {
	case MODEL_BY_SP:
		break;
	case MODEL_BY_RBP:
		f->bp = f->cfa - 16;
		break;
	case MODEL_BORROWING:
		f->bp = model_chance(4096);
		break;
	case MODEL_REALIGNED:
		f->bp = ((f->cfa - 32) & ~(uintptr_t)63) - 16;
		store(f->bp - 8, f->cfa);
	}
}

void line_empty(struct line *line)
{
	line->frame[0] = (struct frame){.function = MODEL_START, .cfa = line->start};
	line->count = 1;
	line_move(line, false, 0);
}

void line_move(struct line *line, bool part, int place)
{
	struct frame *f = line_top(line);

	if (is_new(f))
		make_frame(line);
	f->part = part && f->function < MODEL_HOOKED;
	f->place = place;
	if (f->function == MODEL_RETURN)
		return;
	switch (model_kind(f->function)) {
	case MODEL_BY_SP:
	case MODEL_BORROWING:
		f->sp = f->cfa - model_distance(f->function, place);
		break;
	case MODEL_BY_RBP:
	case MODEL_REALIGNED:
		f->sp = f->bp - 64 - 16 * model_chance(12);
	}
}

void line_call(struct line *line, int function)
{
	const struct frame *f = line_top(line);

	if (is_new(f))
		line_move(line, model_chance(4) == 0, (int)model_chance(MODEL_PLACES));
	store(f->sp - 8, model_place(f->function, f->part, f->place));
	begin(line, function, f->sp, f->bp);
}

void line_tail_call(struct line *line, int function)
{
	const struct frame f = *line_top(line);

	line->count--;
	begin(line, function, f.cfa, f.before);
}

void line_interrupt(struct line *line, uintptr_t top)
{
	struct frame *f = line_top(line);
	uintptr_t pc = is_new(f) ? model_zone(f->function) + 6
				 : model_place(f->function, f->part, f->place) - 8,
		  sp = ((top ? top : f->sp - 128) - SIGNAL_BYTES) & ~(uintptr_t)15;

	store(sp + SAVED_RBP, f->bp);
	store(sp + SAVED_SP, f->sp);
	store(sp + SAVED_PC, pc);
	begin(line, MODEL_RETURN, f->sp, model_chance(4096));
	line_top(line)->sp = sp;
}

void line_hook(struct line *line)
{
	const struct frame *f = line_top(line);

	store(f->sp - 8, model_zone(f->function) + 5);
	begin(line, MODEL_HOOK, f->sp, f->bp);
	line_move(line, false, 0);
}

bool line_is_alternate(const struct line *line)
{
	return model_alternate_top - line->frame[line->count - 1].sp < MODEL_STACK_BYTES;
}
