/* SPDX-License-Identifier: MIT */
/*
 * classes.c - which pieces of code are functions, and which are parts of functions, laid elsewhere.
 *
 * Compilers split functions: `.cold` parts, blocks in other sections. A part has an FDE of its own,
 * and often a symbol, but its entry is no call. Most parts begin inside a stack frame, which the FDE
 * tells. A part without one is told by how it is jumped to. gcc's `.part.N` and `.constprop` are
 * functions: they are called. So is what only tail calls lead to.
 */
#include "symbolize/plan/planner.h"

#include <stdlib.h>

/* The end of the jumps of code N. */
static size_t jumps_end(const struct planner *p, uint32_t n)
{
	return n + 1 < p->frames.fde_count ? p->codes[n + 1].first_jump : p->jump_count;
}

/* Whether code N jumps into the middle of a code that jumps to N's start. */
static bool jumps_back(const struct planner *p, uint32_t n)
{
	for (size_t k = p->codes[n].first_jump; k < jumps_end(p, n); k++) {
		uint32_t other = p->jumps[k].to;
		if (p->jumps[k].start)
			continue;
		for (size_t j = p->codes[other].first_jump; j < jumps_end(p, other); j++)
			if (p->jumps[j].to == n && p->jumps[j].start)
				return true;
	}
	return false;
}

static enum plan_class class_of(const struct planner *p, uint32_t n)
{
	const struct planner_code *c = &p->codes[n];
	if (c->stubs)
		return PLAN_CLASS_PLT;
	if (c->signal)
		return PLAN_CLASS_SIGNAL;
	if (c->outermost)
		return PLAN_CLASS_OUTERMOST;
	if (c->framed)
		return PLAN_CLASS_COLD;
	if (!c->evidence && c->jumped &&
	    (c->jumped_framed || c->from_table != PLANNER_NONE || jumps_back(p, n) ||
	     (p->module.low + p->frames.fdes[n].start) % 16 != 0))
		return PLAN_CLASS_JUMPED;
	return PLAN_CLASS_FUNCTION;
}

static bool is_part(const struct planner *p, uint32_t n)
{
	return p->codes[n].class == PLAN_CLASS_COLD || p->codes[n].class == PLAN_CLASS_JUMPED;
}

static bool is_function(const struct planner *p, uint32_t n)
{
	return p->codes[n].class == PLAN_CLASS_FUNCTION;
}

/*
 * Gives parts the owners that one kind of jump tells: into the start or the middle, from a function
 * or from another part. An owner that is there stays.
 */
static void own_by_jumps(struct planner *p, bool start, bool function)
{
	for (size_t k = 0; k < p->jump_count; k++) {
		const struct planner_jump *j = &p->jumps[k];
		if (j->start == start && is_part(p, j->to) &&
		    p->codes[j->to].owner == PLANNER_NONE &&
		    (function ? is_function(p, j->from) : is_part(p, j->from)))
			p->codes[j->to].owner = j->from;
	}
}

static void own_by_tables(struct planner *p)
{
	for (uint32_t n = 0; n < p->frames.fde_count; n++) {
		uint32_t from = p->codes[n].from_table;
		if (is_part(p, n) && p->codes[n].owner == PLANNER_NONE && from != PLANNER_NONE &&
		    (is_function(p, from) || is_part(p, from)))
			p->codes[n].owner = from;
	}
}

/* Follows owners that are parts themselves. Parts that own each other in a circle have none. */
static void own_by_owners(struct planner *p)
{
	for (uint32_t n = 0; n < p->frames.fde_count; n++) {
		uint32_t owner = p->codes[n].owner;
		for (unsigned steps = 0; owner != PLANNER_NONE && !is_function(p, owner); steps++)
			owner = steps < 8 ? p->codes[owner].owner : PLANNER_NONE;
		if (is_part(p, n))
			p->codes[n].owner = owner;
	}
}

static bool has_table(const struct planner *p, const struct planner_code *c)
{
	return c->own_table ||
	       (c->to_table != PLANNER_NONE && p->codes[c->to_table].owner == c->owner);
}

static int by_code(const void *one, const void *other)
{
	const struct planner_rule *a = one, *b = other;
	return (a->code > b->code) - (a->code < b->code);
}

/* Leaves the rules of those indirect jumps that no table was found for, sorted by owners. */
static void sort_rules(struct planner *p)
{
	size_t kept = 0;
	for (size_t k = 0; k < p->rule_count; k++) {
		const struct planner_code *c = &p->codes[p->rules[k].code];
		if (c->owner != PLANNER_NONE && !has_table(p, c))
			p->rules[kept++] = (struct planner_rule){p->rules[k].rule, c->owner};
	}
	p->rule_count = kept;
	if (kept)
		qsort(p->rules, kept, sizeof(p->rules[0]), by_code);
}

/* What parts do counts as done by their function. */
static void tell_owners(struct planner *p)
{
	for (uint32_t n = 0; n < p->frames.fde_count; n++) {
		struct planner_code *c = &p->codes[n];
		uint32_t from = c->from_table;
		if (c->owner == PLANNER_NONE)
			continue;
		if (c->indirect_framed && !has_table(p, c))
			p->codes[c->owner].no_table = true;
		if (from != PLANNER_NONE && p->codes[from].owner == n)
			c->own_jump = true;
	}
	for (size_t k = 0; k < p->jump_count; k++) {
		const struct planner_jump *j = &p->jumps[k];
		if (j->start && p->codes[j->from].owner == j->to)
			p->codes[j->to].own_jump = true;
	}
}

void planner_classify(struct planner *p)
{
	for (uint32_t n = 0; n < p->frames.fde_count; n++) {
		struct planner_code *c = &p->codes[n];
		c->class = (uint8_t)class_of(p, n);
		if (c->class == PLAN_CLASS_FUNCTION)
			c->owner = n;
	}
	own_by_jumps(p, true, true);
	own_by_jumps(p, true, false);
	own_by_tables(p);
	own_by_jumps(p, false, true);
	own_by_owners(p);
	tell_owners(p);
	sort_rules(p);
}
