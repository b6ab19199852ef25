/* SPDX-License-Identifier: MIT */
/* unwind.c - see unwind.h. */
#include "preload/unwind/unwind.h"

#include "preload/base/cpu.h"
#include "preload/process/process.h"
#include "preload/code/cfi_known.h"
#include "preload/code/location.h"
#include "preload/code/module.h"
#include "preload/stacks/arrays.h"

bool unwind_on_stack(const struct track *k, uintptr_t address)
{
	return arrays_hold(k, address) && (address & 7) == 0;
}

int unwind_part(const struct track *k, uintptr_t address)
{
	int i = (int)k->barriers;

	if (arrays_hold(k, address))
		return i;
	while (i-- > 0)
		if (address - k->barrier[i].low < k->barrier[i].bytes ||
		    (i == 0 && arrays_runs_on(k, k->stack) && stack_holds(k->stack, address)))
			return i;
	return -1;
}

/* Reads a word of the stack that is walked. False: it is no word of that stack, or of its copy. */
static bool word_at(const struct track *k, const struct place *at, uintptr_t address,
		    uintptr_t *word)
{
	uintptr_t offset;

	if (!unwind_on_stack(k, address) &&
	    (!at->crosses || address & 7 || unwind_part(k, address) < 0))
		return false;
	if (!at->copy) {
		*word = *(const uintptr_t *)address;
		return true;
	}
	offset = address - at->copy->low;
	if (offset >= at->copy->bytes || at->copy->bytes - offset < sizeof(*word))
		return false;
	*word = at->copy->words[offset / sizeof(*word)];
	return true;
}

/*
 * Steps from a signal handler's frame to the code that the signal interrupted. Its registers are
 * above the stack pointer (base/cpu/). Callers look up pc - 1, as for a return address; the
 * interrupted pc is none, so one byte is added.
 */
static bool resume(const struct track *k, struct place *at, uintptr_t *cfa)
{
	uintptr_t sp, bp, pc;

	if (!word_at(k, at, at->sp + CPU_SIGNAL_FRAME_POINTER, &bp) ||
	    !word_at(k, at, at->sp + CPU_SIGNAL_STACK_POINTER, &sp) ||
	    !word_at(k, at, at->sp + CPU_SIGNAL_AT, &pc))
		return false;
	if (!CPU_CALL_PUSHES && !word_at(k, at, at->sp + CPU_SIGNAL_RETURN_ADDRESS, &at->link))
		return false;
	at->bp = bp;
	*cfa = at->sp = sp;
	at->pc = pc + 1;
	at->interrupted = at->resumed = true;
	return true;
}

/* Whether a handler returns to `pc`, in the kernel's image. */
static bool ends_handler(const struct module *m, uintptr_t pc)
{
	return m->record && m->record->path[0] == '[' && pc + 8 <= m->end &&
	       cpu_returns_from_signal(pc);
}

/*
 * Whether a frame lies above the frames that it has called, as every frame does on one stack. Frame
 * information that is wrong may say otherwise, and a walk that believes it can go in a circle.
 */
static bool is_above(const struct track *k, uintptr_t cfa, uintptr_t sp)
{
	return cfa >= sp + CPU_CALL_PUSHES ||
	       unwind_part(k, cfa - sizeof(cfa)) != unwind_part(k, sp);
}

/*
 * Reads the place that the frame `cfa` returns to. Where a register has the return address, only a
 * function that calls nothing may leave the address there, so such a frame is the one that was
 * interrupted.
 */
static bool returns_to(const struct track *k, const struct place *at, const struct cfi *cfi,
		       bool interrupted, uintptr_t cfa, uintptr_t *pc)
{
	if (CPU_CALL_PUSHES)
		return word_at(k, at, cfa - CPU_CALL_PUSHES, pc);
	if (!cfi->ret_saved) {
		*pc = cpu_unsigned(at->link);
		return interrupted;
	}
	if (!word_at(k, at, cfa + (uintptr_t)cfi->ret_offset, pc))
		return false;
	*pc = cpu_unsigned(*pc);
	return true;
}

bool unwind_next(const struct track *k, struct place *at, uintptr_t *cfa, bool *outermost)
{
	const struct module *m = module_discover(k->process, at->pc - 1);
	uintptr_t bp = at->bp, pc, saved;
	bool interrupted = at->resumed;
	struct cfi cfi;

	*outermost = at->resumed = at->by_bp = false;
	*cfa = at->cfa_at = at->bp_at = 0;
	if (m && ends_handler(m, at->pc))
		return resume(k, at, cfa);
	if (!m || !m->eh_frame_hdr || !cfi_known(k->process, m, at->pc - 1, &cfi))
		return false;
	at->function = cfi.function;
	*outermost = cfi.outermost;
	if (cfi.outermost)
		return false;
	if (cfi.signal_frame)
		return resume(k, at, cfa);
	if (cfi.kind == CFI_OTHER) {
		/* The linker describes its table by an expression of the pc (System V psABI). */
		if (!cpu_in_linkage(at->pc - 1, cfa))
			return false;
		cfi.kind = CFI_REGISTER;
		cfi.reg = CFI_RSP;
		cfi.offset = CPU_CALL_PUSHES + (int64_t)*cfa;
	}
	*cfa = (cfi.reg == CFI_RBP ? at->bp : at->sp) + (uintptr_t)cfi.offset;
	at->by_bp = cfi.reg == CFI_RBP;
	if (cfi.kind == CFI_REGISTER_DEREF)
		at->cfa_at = *cfa;
	if ((at->cfa_at && !word_at(k, at, at->cfa_at, cfa)) || !is_above(k, *cfa, at->sp)) {
		*cfa = 0;
		return false;
	}
	saved = *cfa + (uintptr_t)cfi.rbp_offset;
	/* A function that is about to return has popped rbp, though the table still says "saved". */
	if (cfi.rbp_saved && saved >= at->sp)
		at->bp_at = saved;
	if (!returns_to(k, at, &cfi, interrupted, *cfa, &pc) ||
	    (at->bp_at && !word_at(k, at, at->bp_at, &bp)))
		return false;
	at->bp = bp;
	at->sp = *cfa;
	at->pc = pc;
	return true;
}

bool unwind_first(const struct track *k, const struct event *e, uintptr_t cfa, struct place *at)
{
	uintptr_t own;
	bool end;

	*at = (struct place){.pc = e->ret, .sp = e->sp, .bp = e->bp};
	if (!location_is_bare(e) && e->ret != e->call_site)
		return unwind_next(k, at, &own, &end) && own == cfa;
	if (CPU_CALL_PUSHES && !unwind_on_stack(k, cfa - CPU_CALL_PUSHES))
		return false;
	at->pc = CPU_CALL_PUSHES ? *(const uintptr_t *)(cfa - CPU_CALL_PUSHES) : e->call_site;
	at->sp = cfa;
	return true;
}

/*
 * The caller's rbp is needed if its CFA is found by rbp. The callee has either left rbp alone, or
 * pushed it first, just below the return address. Both are tried. Where a register has the return
 * address, the event has it too, and the callee has stored rbp where its own rbp leads to.
 */
bool unwind_is_caller(const struct track *k, const struct event *e, uintptr_t cfa, uintptr_t caller,
		      struct location *where)
{
	uintptr_t saved = CPU_CALL_PUSHES ? cfa - 2 * sizeof(uintptr_t) : e->bp;

	if (CPU_CALL_PUSHES && !unwind_on_stack(k, cfa - CPU_CALL_PUSHES))
		return false;
	location_at(k->process,
		    CPU_CALL_PUSHES ? *(const uintptr_t *)(cfa - CPU_CALL_PUSHES) : e->call_site,
		    where);
	if (where->rule & LOCATION_INDIRECT)
		return false;
	return location_cfa(where->rule, cfa, e->bp) == caller ||
	       (where->rule & LOCATION_BY_RBP && unwind_on_stack(k, saved) &&
		location_cfa(where->rule, cfa, *(const uintptr_t *)saved) == caller);
}
