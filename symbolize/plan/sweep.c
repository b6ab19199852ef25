/* SPDX-License-Identifier: MIT */
/*
 * sweep.c - decodes all code of a module, once: that of FDEs from start to end, and what lies between
 * them, which may be functions without FDEs.
 *
 * Data between the instructions of an FDE may look like the begin of an instruction, and what follows
 * is then split wrongly: branches are missed. Compilers put no data there, people who write assembly
 * do. A jump to a place where no instruction seems to begin tells it (a *stray*). Such a code is
 * `mixed`: it is decoded from there as well, and is refused.
 */
#include "symbolize/plan/planner.h"

#include <stdlib.h>

#include "symbolize/instruction.h"

/* Doubles a table that is full. False: memory is short. */
static bool room(struct planner *p, void **table, size_t count, size_t *room, size_t bytes)
{
	if (count < *room)
		return true;
	size_t more = *room ? *room * 2 : 1024;
	void *larger = realloc(*table, more * bytes);
	if (!larger) {
		p->exhausted = true;
		return false;
	}
	*table = larger;
	*room = more;
	return true;
}

static void add_base(struct planner *p, uint32_t code, int64_t at)
{
	if (at < 0 || at >= p->module.image_bytes || planner_in_text(p, (uint32_t)at))
		return;
	if (room(p, (void **)&p->bases, p->base_count, &p->base_room, sizeof(p->bases[0])))
		p->bases[p->base_count++] = (struct planner_base){(uint32_t)at, code};
}

void planner_stray(struct planner *p, uint32_t offset)
{
	if (!planner_bit(p, p->boundaries, offset) &&
	    room(p, (void **)&p->strays, p->stray_count, &p->stray_room, sizeof(p->strays[0])))
		p->strays[p->stray_count++] = offset;
}

/* A direct jump from code FROM, or from outside of all codes, to TO. */
static void jump(struct planner *p, uint32_t from, int64_t to, bool framed)
{
	planner_target(p, to);
	if (to < 0 || to >= p->module.image_bytes || !planner_in_text(p, (uint32_t)to))
		return;
	if (from != PLANNER_NONE && to - p->frames.fdes[from].start >= 0 &&
	    to - p->frames.fdes[from].start < p->frames.fdes[from].bytes) {
		p->codes[from].own_jump |= to == p->frames.fdes[from].start;
		planner_stray(p, (uint32_t)to);
		return;
	}
	uint32_t code = planner_code_at(p, (uint32_t)to);
	if (code == PLANNER_NONE)
		return;
	bool start = to == p->frames.fdes[code].start;
	p->codes[code].jumped |= start;
	p->codes[code].jumped_framed |= start && framed;
	if (from == PLANNER_NONE)
		return;
	planner_stray(p, (uint32_t)to);
	if (room(p, (void **)&p->jumps, p->jump_count, &p->jump_room, sizeof(p->jumps[0])))
		p->jumps[p->jump_count++] = (struct planner_jump){from, code, (uint32_t)to, start};
}

/* What an instruction of code FROM, which begins at AT, says of other places. */
static void look(struct planner *p, uint32_t from, uint32_t at, const uint8_t *code,
		 const struct instruction *i, uint64_t rule)
{
	bool framed = rule != FRAMES_AT_ENTRY;
	int64_t end = (int64_t)at + i->length;
	if (i->jump) {
		int64_t to = end + instruction_number(code + i->immediate_at, i->immediate_bytes);
		if (i->kind == INSTRUCTION_CALL)
			planner_evidence(p, to);
		else
			jump(p, from, to, framed);
		return;
	}
	int64_t low = (int64_t)p->module.low;
	int64_t displacement = instruction_number(code + i->displacement_at, i->displacement_bytes);
	if (i->from_here) {
		if (i->opcode == 0x8d)
			planner_evidence(p, end + displacement);
		else
			planner_target(p, end + displacement);
		if (from != PLANNER_NONE && i->opcode == 0x8d)
			add_base(p, from, end + displacement);
	}
	bool jumps = i->kind == INSTRUCTION_JMP_INDIRECT;
	if (p->module.fixed && i->displacement_bytes == 4 && !i->from_here) {
		if (i->absolute)
			planner_evidence(p, displacement - low);
		if (from != PLANNER_NONE && (jumps || i->absolute))
			add_base(p, from, displacement - low);
	}
	if (p->module.fixed && i->immediate_bytes >= 4) {
		int64_t value = instruction_number(code + i->immediate_at, i->immediate_bytes);
		planner_evidence(p, value - low);
		if (from != PLANNER_NONE)
			add_base(p, from, value - low);
	}
	/* A jump through a slot that the linker fills is a tail call. */
	if (jumps && from != PLANNER_NONE) {
		p->codes[from].indirect = true;
		p->codes[from].indirect_framed |= framed;
		if (framed &&
		    room(p, (void **)&p->rules, p->rule_count, &p->rule_room, sizeof(p->rules[0])))
			p->rules[p->rule_count++] = (struct planner_rule){rule, from};
	}
}

/* Decodes one FDE from start to end. */
static void sweep_code(struct planner *p, uint32_t n)
{
	const struct frames_fde *fde = &p->frames.fdes[n];
	const struct module_range *section = module_code_at(&p->module, fde->start);
	const uint8_t *bytes = section->bytes - section->start;
	struct planner_code *c = &p->codes[n];
	struct frames_rows rows;
	uint32_t end = fde->start + fde->bytes;
	size_t bases = p->base_count;
	frames_rows_begin(&rows, &p->frames, fde);
	c->first_jump = (uint32_t)p->jump_count;
	c->from_table = c->to_table = c->owner = PLANNER_NONE;
	c->stubs = section->stubs;
	c->signal = p->frames.cies[fde->cie].signal;
	c->framed = frames_framed(&rows, fde->start);
	for (uint32_t at = fde->start; at < end && !c->stubs;) {
		struct instruction i;
		if (!instruction_decode(bytes + at, end - at, &i)) {
			c->unknown = true;
			at++;
			continue;
		}
		planner_set(p, p->boundaries, at);
		look(p, n, at, bytes + at, &i, frames_rule(&rows, at));
		at += i.length;
	}
	frames_framed(&rows, end - 1);
	c->outermost = rows.outermost;
	if (!c->indirect)
		p->base_count = bases;
}

/* Whether [AT, END) holds nothing but what fills the room between functions. */
static bool is_padding(const uint8_t *bytes, uint32_t at, uint32_t end)
{
	while (at < end && (bytes[at] == 0x00 || bytes[at] == 0xcc || bytes[at] == 0x90))
		at++;
	while (at < end) {
		struct instruction i;
		if (bytes[at] == 0x00 || bytes[at] == 0xcc) {
			at++;
			continue;
		}
		if (!instruction_decode(bytes + at, end - at, &i) ||
		    (i.opcode != 0x1f && i.opcode != 0x90))
			return false;
		at += i.length;
	}
	return true;
}

/* Decodes code without FDE. Where no instruction is known, the next byte may begin one. */
static void sweep_gap(struct planner *p, const struct module_range *section, uint32_t at,
		      uint32_t end)
{
	const uint8_t *bytes = section->bytes - section->start;
	if (at >= end || is_padding(bytes, at, end))
		return;
	while (at < end) {
		struct instruction i;
		if (!instruction_decode(bytes + at, end - at, &i)) {
			at++;
			continue;
		}
		look(p, PLANNER_NONE, at, bytes + at, &i, FRAMES_AT_ENTRY);
		at += i.length;
	}
}

void planner_sweep(struct planner *p)
{
	uint32_t n = 0;
	for (size_t k = 0; k < p->module.codes; k++) {
		const struct module_range *section = &p->module.code[k];
		uint32_t at = section->start;
		for (; n < p->frames.fde_count && p->frames.fdes[n].start < section->end; n++) {
			sweep_gap(p, section, at, p->frames.fdes[n].start);
			sweep_code(p, n);
			at = p->frames.fdes[n].start + p->frames.fdes[n].bytes;
		}
		sweep_gap(p, section, at, section->end);
	}
}

static int by_code(const void *one, const void *other)
{
	const struct planner_jump *a = one, *b = other;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Sorts the jumps by codes again, after some were added. */
static void sort_jumps(struct planner *p)
{
	size_t k = 0;
	qsort(p->jumps, p->jump_count, sizeof(p->jumps[0]), by_code);
	for (uint32_t n = 0; n < p->frames.fde_count; n++) {
		while (k < p->jump_count && p->jumps[k].from < n)
			k++;
		p->codes[n].first_jump = (uint32_t)k;
	}
}

/* Decodes code N from AT to where an instruction is known to begin. */
static void sweep_from(struct planner *p, uint32_t n, uint32_t at)
{
	const struct frames_fde *fde = &p->frames.fdes[n];
	const struct module_range *section = module_code_at(&p->module, fde->start);
	const uint8_t *bytes = section->bytes - section->start;
	struct frames_rows rows;
	uint32_t end = fde->start + fde->bytes;
	frames_rows_begin(&rows, &p->frames, fde);
	/* libc jumps behind a lock prefix where there is one thread. */
	p->codes[n].mixed |=
	    at == fde->start || bytes[at - 1] != 0xf0 || !planner_bit(p, p->boundaries, at - 1);
	while (at < end && !planner_bit(p, p->boundaries, at)) {
		struct instruction i;
		if (!instruction_decode(bytes + at, end - at, &i))
			return;
		planner_set(p, p->boundaries, at);
		look(p, n, at, bytes + at, &i, frames_rule(&rows, at));
		at += i.length;
	}
}

void planner_sweep_strays(struct planner *p)
{
	size_t jumps = p->jump_count;
	/* Most were noted before the code that they lead to was decoded. */
	while (p->stray_count) {
		uint32_t at = p->strays[--p->stray_count];
		uint32_t code = planner_code_at(p, at);
		if (!planner_bit(p, p->boundaries, at) && code != PLANNER_NONE &&
		    !p->codes[code].stubs)
			sweep_from(p, code, at);
	}
	if (p->jump_count != jumps)
		sort_jumps(p);
}
