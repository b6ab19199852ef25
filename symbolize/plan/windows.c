/* SPDX-License-Identifier: MIT */
/*
 * windows.c - the bytes at a function's entry that a jump displaces, and the rules by which a
 * function is refused. Each rule has a program in tests/plan/ whose plan is wrong without it.
 */
#include "symbolize/plan/planner.h"

#include <string.h>

#include "symbolize/instruction.h"

/* A window that is being made. */
struct making {
	const struct planner *p;
	const struct planner_code *code;
	const uint8_t *bytes; /* of the section: indexed by offset */
	uint32_t end;         /* of the code */
	uint32_t room; /* what may be overwritten ends here: the next code, or the section's end */
	struct plan_window *window;
	struct plan_instruction *instructions;
	bool refused[PLAN_REFUSALS];
};

static bool is_endbr64(const uint8_t *bytes, uint32_t room)
{
	return room >= 4 && memcmp(bytes, "\xf3\x0f\x1e\xfa", 4) == 0;
}

/* The bytes of padding at OFFSET: a nop of any length, int3 or zero; 0: there is none. */
static unsigned padding_at(const struct making *m, uint32_t offset, uint32_t end)
{
	struct instruction i;
	if (m->bytes[offset] == 0x00 || m->bytes[offset] == 0xcc)
		return 1;
	if (!instruction_decode(m->bytes + offset, end - offset, &i))
		return 0;
	/* A nop is 90 without REX.B (else xchg) or f3 (else pause), or 0f 1f with any operand. */
	const uint8_t *last = m->bytes + offset + i.length - 1;
	bool nop =
	    i.opcode == 0x90 && !i.modrm_at && *last == 0x90 && (i.length == 1 || last[-1] == 0x66);
	bool long_nop =
	    i.opcode == 0x1f && i.modrm_at >= 2 && m->bytes[offset + i.modrm_at - 2] == 0x0f;
	return nop || long_nop ? i.length : 0;
}

/* Where an instruction leads to, or its operand is, if that is relative to its END. */
static int64_t target_of(const uint8_t *code, const struct instruction *i, uint32_t end)
{
	if (i->jump)
		return end + instruction_number(code + i->immediate_at, i->immediate_bytes);
	return end + instruction_number(code + i->displacement_at, i->displacement_bytes);
}

static enum plan_kind kind_of(const struct instruction *i)
{
	switch (i->kind) {
	case INSTRUCTION_JCC:
		return PLAN_KIND_JCC;
	case INSTRUCTION_JMP:
		return PLAN_KIND_JMP;
	case INSTRUCTION_CALL:
		return PLAN_KIND_CALL;
	case INSTRUCTION_CALL_INDIRECT:
		return PLAN_KIND_CALL_INDIRECT;
	case INSTRUCTION_JMP_INDIRECT:
		return i->from_here ? PLAN_KIND_OPERAND_END : PLAN_KIND_END;
	case INSTRUCTION_RET:
	case INSTRUCTION_TRAP:
		return PLAN_KIND_END;
	default:
		return i->from_here ? PLAN_KIND_OPERAND : PLAN_KIND_COPY;
	}
}

/* Notes what an instruction of the window is, and what forbids to move it. */
static void add(struct making *m, unsigned at, const uint8_t *code, const struct instruction *i)
{
	struct plan_instruction *moved = &m->instructions[m->window->instructions++];
	*moved = (struct plan_instruction){
	    .kind = (uint8_t)kind_of(i), .at = (uint8_t)at, .length = (uint8_t)i->length};
	if (i->jump || i->from_here) {
		int64_t target = target_of(code, i, m->window->patch + at + i->length);
		m->refused[PLAN_REFUSAL_OUTSIDE] |=
		    target < 0 || target >= m->p->module.image_bytes;
		moved->target = (uint32_t)target;
	}
	if (i->from_here)
		moved->displacement_at = (uint8_t)i->displacement_at;
	if (i->kind == INSTRUCTION_JCC)
		moved->condition = i->opcode & 15;
	if (i->kind == INSTRUCTION_CALL_INDIRECT) {
		moved->modrm_at = (uint8_t)i->modrm_at;
		m->refused[PLAN_REFUSAL_BYTE_BRANCH] |= i->by_rsp;
	}
	m->refused[PLAN_REFUSAL_BYTE_BRANCH] |=
	    i->kind == INSTRUCTION_LOOP || i->kind == INSTRUCTION_XBEGIN;
	m->refused[PLAN_REFUSAL_SYSCALL] |= i->kind == INSTRUCTION_SYSCALL;
	/* Neither an address that is cut to 32 bits nor a branch by a segment can be moved. */
	m->refused[PLAN_REFUSAL_UNKNOWN] |= i->kind == INSTRUCTION_FAR ||
					    (i->from_here && i->narrow_address) ||
					    (i->jump && i->immediate_bytes == 2);
}

/*
 * Covers a jump's bytes by whole instructions, then by padding behind an instruction that never goes
 * on.
 */
static void cover(struct making *m)
{
	struct plan_window *w = m->window;
	unsigned at = 0;
	bool ended = false, called = false;
	while (at < PLAN_JUMP_BYTES && w->patch + at < m->end && !ended) {
		struct instruction i;
		const uint8_t *code = m->bytes + w->patch + at;
		if (!instruction_decode(code, m->end - w->patch - at, &i)) {
			m->refused[PLAN_REFUSAL_UNKNOWN] = true;
			return;
		}
		m->refused[PLAN_REFUSAL_CALL] |= called;
		add(m, at, code, &i);
		at += i.length;
		ended = instruction_ends(&i);
		called = i.kind == INSTRUCTION_CALL || i.kind == INSTRUCTION_CALL_INDIRECT;
	}
	while (at < PLAN_JUMP_BYTES && ended && w->patch + at < m->room) {
		unsigned padding = padding_at(m, w->patch + at, m->room);
		/* Instructions of the function behind one that ends are there for a branch to them. */
		m->refused[PLAN_REFUSAL_TARGET] |= !padding && w->patch + at < m->end;
		if (!padding)
			break;
		at = at + padding < PLAN_JUMP_BYTES ? at + padding : PLAN_JUMP_BYTES;
	}
	m->refused[PLAN_REFUSAL_SHORT] |= at < PLAN_JUMP_BYTES && !m->refused[PLAN_REFUSAL_TARGET];
	w->bytes = (uint8_t)at;
}

/* Whether something may lead into the window, or, behind an endbr64, to its first byte. */
static bool is_target_inside(const struct making *m, uint32_t start)
{
	const struct plan_window *w = m->window;
	for (uint32_t at = w->patch + (w->patch == start); at < w->patch + w->bytes; at++)
		if (planner_bit(m->p, m->p->targets, at))
			return true;
	return false;
}

/* Whether an indirect jump of code N, or of a part of N, has this rule, or one that is not known. */
static bool jumps_by_rule(const struct planner *p, uint32_t n, uint64_t rule)
{
	size_t low = 0, high = p->rule_count; /* the first of code N is in [low, high] */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->rules[middle].code < n)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < p->rule_count && p->rules[low].code == n; low++)
		if (rule == FRAMES_OTHER || p->rules[low].rule == FRAMES_OTHER ||
		    p->rules[low].rule == rule)
			return true;
	return false;
}

/*
 * Whether an indirect jump without a table may lead into the window. A jump does not change the stack
 * frame, so the CFA is found in the same way where the jump stands and where it leads to.
 */
static bool may_be_entered(const struct making *m, uint32_t n)
{
	const struct frames_fde *fde = &m->p->frames.fdes[n];
	struct frames_rows rows;
	frames_rows_begin(&rows, &m->p->frames, fde);
	for (unsigned k = 0; k < m->window->instructions; k++) {
		uint32_t at = m->window->patch + m->instructions[k].at;
		if (at != fde->start && jumps_by_rule(m->p, n, frames_rule(&rows, at)))
			return true;
	}
	return false;
}

static enum plan_refusal refusal(const struct making *m)
{
	for (unsigned r = PLAN_REFUSAL_NONE + 1; r < PLAN_REFUSALS; r++)
		if (m->refused[r])
			return r;
	return PLAN_REFUSAL_NONE;
}

bool planner_window(struct planner *p, uint32_t n, struct plan_window *window,
		    struct plan_instruction *instructions)
{
	const struct frames_fde *fde = &p->frames.fdes[n];
	const struct module_range *section = module_code_at(&p->module, fde->start);
	bool last = n + 1 >= p->frames.fde_count || fde[1].start >= section->end;
	struct making m = {.p = p,
			   .code = &p->codes[n],
			   .bytes = section->bytes - section->start,
			   .end = fde->start + fde->bytes,
			   .room = last ? section->end : fde[1].start,
			   .window = window,
			   .instructions = instructions};
	*window = (struct plan_window){.patch = fde->start, .code = n};
	if (is_endbr64(m.bytes + fde->start, fde->bytes))
		window->patch += 4;
	m.refused[PLAN_REFUSAL_UNKNOWN] = m.code->unknown || m.code->mixed;
	cover(&m);
	m.refused[PLAN_REFUSAL_TARGET] |= is_target_inside(&m, fde->start);
	m.refused[PLAN_REFUSAL_LOOP] = m.code->own_jump;
	m.refused[PLAN_REFUSAL_INDIRECT] = m.code->no_table && may_be_entered(&m, n);
	p->codes[n].refusal = (uint8_t)refusal(&m);
	if (p->codes[n].refusal != PLAN_REFUSAL_NONE)
		return false;
	memcpy(window->original, m.bytes + window->patch, window->bytes);
	return true;
}
