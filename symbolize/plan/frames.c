/* SPDX-License-Identifier: MIT */
/* frames.c - see frames.h. */
#include "symbolize/plan/frames.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define RETURN_ADDRESS 16

/* A place in the section: what is read ends at `end`, and then `bad` is set and zeros are read. */
struct cursor {
	const uint8_t *bytes;
	uint64_t at, end;
	bool bad;
};

static uint64_t take(struct cursor *c, unsigned bytes)
{
	uint64_t value = 0;
	if (bytes > c->end - c->at) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	for (unsigned k = 0; k < bytes; k++)
		value |= (uint64_t)c->bytes[c->at + k] << 8 * k;
	c->at += bytes;
	return value;
}

/* A LEB128 number, of which the lowest 64 bits are kept. */
static uint64_t take_uleb(struct cursor *c)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;
	do {
		byte = take(c, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static void skip(struct cursor *c, uint64_t bytes)
{
	c->bad |= bytes > c->end - c->at;
	c->at = bytes > c->end - c->at ? c->end : c->at + bytes;
}

static uint64_t sign_extended(uint64_t value, unsigned bytes)
{
	return (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
}

/* The value of a pointer's format, without what it is relative to. */
static uint64_t take_value(struct cursor *c, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return take(c, 8);
	case DW_EH_PE_udata4:
		return take(c, 4);
	case DW_EH_PE_sdata4:
		return sign_extended(take(c, 4), 4);
	case DW_EH_PE_udata2:
		return take(c, 2);
	case DW_EH_PE_sdata2:
		return sign_extended(take(c, 2), 2);
	default:
		c->bad = true;
		return 0;
	}
}

/* An address in the file's own terms. */
static uint64_t take_address(const struct frames *f, struct cursor *c, uint8_t encoding)
{
	uint64_t here = f->low + f->base + c->at;
	uint64_t value = take_value(c, encoding);
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		return here + value;
	c->bad |= (encoding & 0xf0) != 0;
	return value;
}

/* Reads a CIE whose content begins at C; AT is where its length stands. */
static bool take_cie(struct frames *f, struct cursor *c, uint32_t at)
{
	struct frames_cie cie = {.at = at, .encoding = DW_EH_PE_absptr};
	uint64_t version = take(c, 1);
	const char *augmentation = (const char *)c->bytes + c->at;
	size_t length = strnlen(augmentation, c->end - c->at);
	skip(c, length + 1);
	if (c->bad || (version != 1 && version != 3))
		return false;
	cie.code_factor = take_uleb(c);
	take_uleb(c);
	if (version == 1)
		take(c, 1);
	else
		take_uleb(c);
	if (augmentation[0] == 'z') {
		cie.augmented = true;
		uint64_t bytes = take_uleb(c);
		uint64_t rules = c->at + bytes;
		for (const char *a = augmentation + 1; *a; a++) {
			uint8_t encoding;
			if (*a == 'R') {
				cie.encoding = (uint8_t)take(c, 1);
			} else if (*a == 'P') {
				encoding = (uint8_t)take(c, 1);
				take_value(c, encoding);
			} else if (*a == 'L') {
				take(c, 1);
			} else if (*a == 'S') {
				cie.signal = true;
			} else if (*a != 'B') {
				return false;
			}
		}
		if (rules < c->at || rules > c->end)
			return false;
		c->at = rules;
	} else if (augmentation[0]) {
		return false;
	}
	cie.rules = (uint32_t)c->at;
	cie.rules_end = (uint32_t)c->end;
	f->cies[f->cie_count++] = cie;
	return !c->bad;
}

static int cie_by_position(const void *key, const void *cie)
{
	uint32_t at = *(const uint32_t *)key, other = ((const struct frames_cie *)cie)->at;
	return (at > other) - (at < other);
}

/* Reads an FDE whose content begins at C, behind the distance to its CIE, which is at CIE_AT. */
static bool take_fde(struct frames *f, struct cursor *c, uint32_t cie_at, const struct module *m)
{
	/* CIEs are read in the order of their positions, so they are sorted. */
	const struct frames_cie *cie =
	    bsearch(&cie_at, f->cies, f->cie_count, sizeof(f->cies[0]), cie_by_position);
	struct frames_fde fde = {0};
	if (!cie)
		return false;
	uint64_t start = take_address(f, c, cie->encoding);
	uint64_t bytes = take_value(c, cie->encoding & 0x0f);
	if (cie->augmented)
		skip(c, take_uleb(c));
	if (c->bad)
		return false;
	/* Functions that the linker threw away have FDEs as well: empty ones, or ones that lie nowhere. */
	if (!bytes || !module_offset(m, start, &fde.start) || bytes > m->image_bytes - fde.start ||
	    !module_code_at(m, fde.start) || fde.start + bytes > module_code_at(m, fde.start)->end)
		return true;
	fde.bytes = (uint32_t)bytes;
	fde.cie = (uint32_t)(cie - f->cies);
	fde.rules = (uint32_t)c->at;
	fde.rules_end = (uint32_t)c->end;
	f->fdes[f->fde_count++] = fde;
	return true;
}

static int by_start(const void *one, const void *other)
{
	const struct frames_fde *a = one, *b = other;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->rules > b->rules) - (a->rules < b->rules);
}

static void sort(struct frames *f)
{
	size_t kept = 0;
	qsort(f->fdes, f->fde_count, sizeof(f->fdes[0]), by_start);
	for (size_t k = 0; k < f->fde_count; k++)
		if (!kept || f->fdes[k].start != f->fdes[kept - 1].start)
			f->fdes[kept++] = f->fdes[k];
	f->fde_count = kept;
}

/* Goes through all records; stores them if there are tables to store them in, else counts them. */
static bool each_record(struct frames *f, const struct module *m, size_t *cies, size_t *fdes)
{
	struct cursor all = {f->bytes, 0, f->size, false};
	while (all.at < all.end) {
		uint32_t at = (uint32_t)all.at;
		uint64_t length = take(&all, 4);
		if (!length)
			break;
		if (length == 0xffffffff)
			length = take(&all, 8);
		struct cursor c = {f->bytes, all.at, all.at + length, false};
		skip(&all, length);
		if (all.bad || length < 4)
			return false;
		uint64_t position = c.at;
		uint64_t distance = take(&c, 4);
		if (distance > position)
			return false;
		if (!f->cies)
			++*(distance ? fdes : cies);
		else if (distance ? !take_fde(f, &c, (uint32_t)(position - distance), m)
				  : !take_cie(f, &c, at))
			return false;
	}
	return true;
}

bool frames_read(struct frames *f, const struct module *m)
{
	size_t cies = 0, fdes = 0;
	*f = (struct frames){.bytes = m->frames.bytes,
			     .size = m->frames.end - m->frames.start,
			     .base = m->frames.start,
			     .low = m->low};
	if (!each_record(f, m, &cies, &fdes))
		return false;
	f->cies = malloc((cies + 1) * sizeof(f->cies[0]));
	f->fdes = malloc((fdes + 1) * sizeof(f->fdes[0]));
	if (!f->cies || !f->fdes || !each_record(f, m, NULL, NULL))
		return false;
	sort(f);
	return true;
}

void frames_free(struct frames *f)
{
	free(f->cies);
	free(f->fdes);
	*f = (struct frames){0};
}

/* Rules with operands that say where a register is, which does not matter here. */
static void skip_operands(struct cursor *c, uint64_t op)
{
	switch (op) {
	case DW_CFA_offset_extended:
	case DW_CFA_register:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
	case DW_CFA_GNU_negative_offset_extended:
		take_uleb(c);
		take_uleb(c);
		break;
	case DW_CFA_restore_extended:
	case DW_CFA_same_value:
	case DW_CFA_GNU_args_size:
		take_uleb(c);
		break;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		take_uleb(c);
		skip(c, take_uleb(c));
		break;
	case DW_CFA_nop:
	case DW_CFA_GNU_window_save:
		break;
	default:
		c->bad = true;
	}
}

/* Carries out one rule that says how the CFA is found. False: the rule is another one. */
static bool rule_of_cfa(struct frames_rows *r, struct cursor *c, uint64_t op)
{
	switch (op) {
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
		r->cfa.reg = take_uleb(c);
		r->cfa.offset = take_uleb(c);
		r->cfa.expression = op == DW_CFA_def_cfa_sf;
		return true;
	case DW_CFA_def_cfa_register:
		r->cfa.reg = take_uleb(c);
		return true;
	case DW_CFA_def_cfa_offset:
		r->cfa.offset = take_uleb(c);
		return true;
	case DW_CFA_def_cfa_expression:
		skip(c, take_uleb(c));
		r->cfa.expression = true;
		return true;
	case DW_CFA_remember_state:
		if (r->kept_count < sizeof(r->kept) / sizeof(r->kept[0]))
			r->kept[r->kept_count++] = r->cfa;
		else
			c->bad = true;
		return true;
	case DW_CFA_restore_state:
		if (r->kept_count)
			r->cfa = r->kept[--r->kept_count];
		else
			c->bad = true;
		return true;
	default:
		return false;
	}
}

/* The bytes that a rule moves the row's begin by; 0: the rule does not. */
static uint64_t rule_of_place(struct frames_rows *r, struct cursor *c, uint64_t op)
{
	uint64_t factor = r->cie->code_factor;
	if ((op & 0xc0) == DW_CFA_advance_loc)
		return (op & 0x3f) * factor;
	if (op == DW_CFA_advance_loc1)
		return take(c, 1) * factor;
	if (op == DW_CFA_advance_loc2)
		return take(c, 2) * factor;
	if (op == DW_CFA_advance_loc4)
		return take(c, 4) * factor;
	return 0;
}

/*
 * Carries out rules until the row ends. A rule that makes no sense leaves a row without end whose
 * CFA is not rsp + 8, so that nothing is taken for a function's entry by mistake.
 */
static void run(struct frames_rows *r, uint32_t at, uint32_t end)
{
	struct cursor c = {r->frames->bytes, at, end, false};
	while (c.at < c.end) {
		uint64_t op = take(&c, 1);
		uint64_t moved = rule_of_place(r, &c, op);
		if (moved) {
			r->next = r->here + moved;
			r->at = (uint32_t)c.at;
			return;
		}
		if (op == DW_CFA_set_loc) {
			c.bad = true;
		} else if ((op & 0xc0) == DW_CFA_offset) {
			take_uleb(&c);
		} else if (op == DW_CFA_undefined) {
			r->outermost |= take_uleb(&c) == RETURN_ADDRESS;
		} else if ((op & 0xc0) != DW_CFA_restore && (op & 0xc0) != DW_CFA_advance_loc &&
			   !(op >= DW_CFA_advance_loc1 && op <= DW_CFA_advance_loc4) &&
			   !rule_of_cfa(r, &c, op)) {
			skip_operands(&c, op);
		}
		if (c.bad) {
			r->cfa.expression = true;
			break;
		}
	}
	r->at = r->end;
	r->next = UINT64_MAX;
}

void frames_rows_begin(struct frames_rows *r, const struct frames *f, const struct frames_fde *fde)
{
	memset(r, 0, sizeof(*r));
	r->frames = f;
	r->cie = &f->cies[fde->cie];
	r->here = fde->start;
	run(r, r->cie->rules, r->cie->rules_end);
	r->end = fde->rules_end;
	run(r, fde->rules, fde->rules_end);
}

uint64_t frames_rule(struct frames_rows *r, uint64_t offset)
{
	while (r->next <= offset) {
		r->here = r->next;
		run(r, r->at, r->end);
	}
	if (r->cfa.expression || r->cfa.reg > 0x7f || r->cfa.offset >> 56)
		return FRAMES_OTHER;
	return r->cfa.reg << 56 | r->cfa.offset;
}
