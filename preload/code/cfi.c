/* SPDX-License-Identifier: MIT */
/* cfi.c - see cfi.h. */
#include "preload/code/cfi.h"

#include "preload/base/sys.h"

#include <dwarf.h>

/*
 * If the upper two bits of a call frame instruction are not zero, they alone say which of three
 * instructions it is, and the lower six bits are its operand.
 */
#define PRIMARY 0xc0
#define OPERAND 0x3f

#define LENGTH_64_BIT 0xffffffffu /* as a length: the true length follows, in 64 bits */

struct reader {
	const unsigned char *at, *end;
};

static uint64_t fixed(struct reader *r, unsigned bytes)
{
	uint64_t n = 0;

	if ((size_t)(r->end - r->at) < bytes) {
		r->at = r->end;
		return 0;
	}
	memcpy(&n, r->at, bytes);
	r->at += bytes;
	return n;
}

static uint64_t uleb(struct reader *r)
{
	uint64_t n = 0;
	unsigned shift = 0;

	while (r->at < r->end) {
		unsigned char byte = *r->at++;

		if (shift < 64)
			n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			break;
	}
	return n;
}

static int64_t sleb(struct reader *r)
{
	uint64_t n = 0;
	unsigned shift = 0;
	unsigned char byte = 0;

	while (r->at < r->end) {
		byte = *r->at++;
		if (shift < 64)
			n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			break;
	}
	if (shift < 64 && byte & 0x40)
		n |= ~(uint64_t)0 << shift;
	return (int64_t)n;
}

static void skip(struct reader *r, uint64_t bytes)
{
	r->at = bytes < (uint64_t)(r->end - r->at) ? r->at + bytes : r->end;
}

/* A pointer's encoding: how it is written, and what it is relative to. */
#define FORMAT   0x0f
#define RELATIVE 0x70

static uint64_t encoded(struct reader *r, unsigned char encoding, uintptr_t data_base)
{
	uintptr_t here = (uintptr_t)r->at;
	uint64_t n;

	switch (encoding & FORMAT) {
	case DW_EH_PE_uleb128:
		n = uleb(r);
		break;
	case DW_EH_PE_udata2:
		n = fixed(r, 2);
		break;
	case DW_EH_PE_udata4:
		n = fixed(r, 4);
		break;
	case DW_EH_PE_sleb128:
		n = (uint64_t)sleb(r);
		break;
	case DW_EH_PE_sdata2:
		n = (uint64_t)(int16_t)fixed(r, 2);
		break;
	case DW_EH_PE_sdata4:
		n = (uint64_t)(int32_t)fixed(r, 4);
		break;
	default:
		n = fixed(r, 8);
	}
	switch (encoding & RELATIVE) {
	case DW_EH_PE_pcrel:
		return n + here;
	case DW_EH_PE_datarel:
		return n + data_base;
	default:
		return n;
	}
}

/* ---- the CFA's rule, by running call frame instructions */

struct row {
	enum cfi_kind kind;
	unsigned reg;
	int64_t offset;
	bool rbp_saved, ret_saved, outermost;
	int32_t rbp_offset, ret_offset; /* narrow, since ten rows lie on the program's stack */
};

struct cie {
	uint64_t code_align;
	int64_t data_align;
	unsigned char pointer_encoding;
	bool augmented, signal_frame;
	struct reader instructions;
};

#define ROWS_SAVED 8

/*
 * Reads DW_OP_breg6/7 offset, then maybe DW_OP_deref: gcc writes such an expression for a frame
 * that it realigns.
 */
static void expression(struct row *row, struct reader *r)
{
	uint64_t bytes = uleb(r);
	struct reader e = {r->at, r->at};

	skip(r, bytes);
	e.end = r->at;
	row->kind = CFI_OTHER;
	if (e.at < e.end && (*e.at == DW_OP_breg0 + CFI_RBP || *e.at == DW_OP_breg0 + CFI_RSP)) {
		row->reg = *e.at++ - (unsigned)DW_OP_breg0;
		row->offset = sleb(&e);
		if (e.at == e.end)
			row->kind = CFI_REGISTER;
		else if (e.at + 1 == e.end && *e.at == DW_OP_deref)
			row->kind = CFI_REGISTER_DEREF;
	}
}

/* No frame is so large that an offset would not fit. */
static void saved_at(struct row *row, uint64_t reg, int64_t offset)
{
	if (reg == CFI_RBP) {
		row->rbp_saved = true;
		row->rbp_offset = (int32_t)offset;
	}
	if (!CPU_CALL_PUSHES && reg == CFI_RETURN_ADDRESS) {
		row->ret_saved = true;
		row->ret_offset = (int32_t)offset;
	}
}

/* Restores a register's rule from the CIE. */
static void restored(struct row *row, uint64_t reg, const struct row *initial)
{
	if (reg == CFI_RBP) {
		row->rbp_saved = initial->rbp_saved;
		row->rbp_offset = initial->rbp_offset;
	}
	if (!CPU_CALL_PUSHES && reg == CFI_RETURN_ADDRESS) {
		row->ret_saved = initial->ret_saved;
		row->ret_offset = initial->ret_offset;
	}
}

/* The state of a run: the row being built, the address it begins at, and the remembered rows. */
struct run {
	struct reader r;
	const struct cie *cie;
	uintptr_t at;
	struct row *row;
	struct row initial;
	struct row *saved; /* ROWS_SAVED of them, of which `depth` have been stored */
	unsigned depth;
};

/* Instructions that move on to the next row. */
static bool advance(struct run *m, unsigned char op)
{
	const struct cie *cie = m->cie;

	if ((op & PRIMARY) == DW_CFA_advance_loc)
		m->at += (op & OPERAND) * cie->code_align;
	else if (op == DW_CFA_set_loc)
		m->at = encoded(&m->r, cie->pointer_encoding, 0);
	else if (op >= DW_CFA_advance_loc1 && op <= DW_CFA_advance_loc4)
		m->at += fixed(&m->r, 1u << (op - DW_CFA_advance_loc1)) * cie->code_align;
	else
		return false;
	return true;
}

/* Instructions that say how the CFA is computed. */
static bool define_cfa(struct run *m, unsigned char op)
{
	struct row *row = m->row;
	bool is_signed = op == DW_CFA_def_cfa_sf || op == DW_CFA_def_cfa_offset_sf;

	switch (op) {
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_register:
		row->kind = CFI_REGISTER;
		row->reg = (unsigned)uleb(&m->r);
		if (op == DW_CFA_def_cfa_register)
			return true;
		break;
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
		break;
	case DW_CFA_def_cfa_expression:
		expression(row, &m->r);
		return true;
	default:
		return false;
	}
	row->offset = is_signed ? sleb(&m->r) * m->cie->data_align : (int64_t)uleb(&m->r);
	return true;
}

/*
 * Instructions that say where a register of the caller is. Only rbp and the return address matter.
 */
static bool place_register(struct run *m, unsigned char op)
{
	uint64_t reg;

	if ((op & PRIMARY) == DW_CFA_offset) {
		saved_at(m->row, op & OPERAND, (int64_t)uleb(&m->r) * m->cie->data_align);
		return true;
	}
	if ((op & PRIMARY) == DW_CFA_restore) {
		restored(m->row, op & OPERAND, &m->initial);
		return true;
	}
	switch (op) {
	case DW_CFA_offset_extended:
		reg = uleb(&m->r);
		saved_at(m->row, reg, (int64_t)uleb(&m->r) * m->cie->data_align);
		return true;
	case DW_CFA_restore_extended:
		restored(m->row, uleb(&m->r), &m->initial);
		return true;
	case DW_CFA_undefined:
		if (uleb(&m->r) == CFI_RETURN_ADDRESS)
			m->row->outermost = true;
		return true;
	case DW_CFA_same_value:
		uleb(&m->r);
		return true;
	case DW_CFA_register:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
	case DW_CFA_GNU_negative_offset_extended:
		uleb(&m->r);
		uleb(&m->r);
		return true;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		uleb(&m->r);
		skip(&m->r, uleb(&m->r));
		return true;
	}
	return false;
}

static bool put_by_or_take_up(struct run *m, unsigned char op)
{
	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_AARCH64_negate_ra_state: /* cpu_unsigned() needs no such word */
		return !CPU_CALL_PUSHES;
	case DW_CFA_GNU_args_size:
		uleb(&m->r);
		return true;
	case DW_CFA_remember_state:
		if (m->depth < ROWS_SAVED)
			m->saved[m->depth] = *m->row;
		m->depth++;
		return true;
	case DW_CFA_restore_state:
		if (m->depth > 0 && --m->depth < ROWS_SAVED)
			*m->row = m->saved[m->depth];
		return true;
	}
	return false;
}

/* Runs the instructions until the row for pc is complete; `at` is the address of the first row. */
static void run(struct reader r, const struct cie *cie, uintptr_t at, uintptr_t pc, struct row *row)
{
	struct row saved[ROWS_SAVED];
	struct run m = {.r = r, .cie = cie, .at = at, .row = row, .initial = *row, .saved = saved};

	while (m.r.at < m.r.end && m.at <= pc) {
		unsigned char op = *m.r.at++;

		if (!place_register(&m, op) && !define_cfa(&m, op) && !advance(&m, op) &&
		    !put_by_or_take_up(&m, op)) {
			row->kind = CFI_OTHER;
			return;
		}
	}
}

/* ---- CIE and FDE */

/*
 * Reads the length in front of an entry; *r is then the rest of the entry. False at the terminator.
 */
static bool entry(struct reader *r, const unsigned char *at)
{
	uint32_t length;
	uint64_t length64;

	memcpy(&length, at, 4);
	if (!length)
		return false;
	r->at = at + 4;
	length64 = length;
	if (length == LENGTH_64_BIT) {
		memcpy(&length64, at + 4, 8);
		r->at = at + 12;
	}
	r->end = r->at + length64;
	return true;
}

static bool read_cie(struct cie *cie, const unsigned char *at)
{
	struct reader r;
	const char *augmentation;

	if (!entry(&r, at) || fixed(&r, 4) != 0)
		return false;
	skip(&r, 1);
	augmentation = (const char *)r.at;
	skip(&r, strlen(augmentation) + 1);
	cie->code_align = uleb(&r);
	cie->data_align = sleb(&r);
	uleb(&r);
	cie->pointer_encoding = 0;
	cie->augmented = *augmentation == 'z';
	cie->signal_frame = false;
	if (cie->augmented) {
		uint64_t bytes = uleb(&r);
		struct reader data = {r.at, r.at};

		skip(&r, bytes);
		data.end = r.at;
		for (augmentation++; *augmentation; augmentation++) {
			if (*augmentation == 'R') {
				cie->pointer_encoding = (unsigned char)fixed(&data, 1);
			} else if (*augmentation == 'L') {
				skip(&data, 1);
			} else if (*augmentation == 'P') {
				unsigned char encoding = (unsigned char)fixed(&data, 1);

				encoded(&data, encoding, 0);
			} else if (*augmentation == 'S') {
				cie->signal_frame = true;
			} else if (*augmentation != 'B') {
				break;
			}
		}
	} else if (*augmentation) {
		return false;
	}
	cie->instructions = r;
	return true;
}

/* An FDE, and its CIE. */
struct fde {
	struct cie cie;
	uintptr_t start, end;
	struct reader instructions;
};

static bool read_fde(struct fde *fde, const unsigned char *at, uintptr_t pc)
{
	struct reader r;
	const unsigned char *back;
	uint32_t distance;

	if (!entry(&r, at))
		return false;
	back = r.at;
	distance = (uint32_t)fixed(&r, 4);
	if (!distance || !read_cie(&fde->cie, back - distance))
		return false;
	fde->start = encoded(&r, fde->cie.pointer_encoding, 0);
	fde->end = fde->start + encoded(&r, fde->cie.pointer_encoding & FORMAT, 0);
	if (pc < fde->start || pc >= fde->end)
		return false;
	if (fde->cie.augmented)
		skip(&r, uleb(&r));
	fde->instructions = r;
	return true;
}

/*
 * .eh_frame_hdr holds a sorted table of (function, entry), both of 32 bits and relative to the
 * header. NULL: there is no table.
 */
static const int32_t *table_of(uintptr_t eh_frame_hdr, uint64_t *count)
{
	const unsigned char *header = (const unsigned char *)eh_frame_hdr;
	struct reader r = {header + 4, header + 4 + 32};

	if (header[0] != 1 || header[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
		return NULL;
	encoded(&r, header[1], eh_frame_hdr);
	*count = encoded(&r, header[2], eh_frame_hdr);
	return (const int32_t *)r.at;
}

static bool find_fde(struct fde *fde, uintptr_t eh_frame_hdr, uintptr_t pc)
{
	uint64_t count, low = 0, high;
	const int32_t *table = table_of(eh_frame_hdr, &count);

	if (!table)
		return false;
	high = count;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (eh_frame_hdr + (intptr_t)table[2 * middle] <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 &&
	       read_fde(fde, (const unsigned char *)eh_frame_hdr + table[2 * (low - 1) + 1], pc);
}

bool cfi_find(uintptr_t eh_frame_hdr, uintptr_t pc, struct cfi *cfi)
{
	struct row row = {.kind = CFI_OTHER};
	struct fde fde;

	if (!find_fde(&fde, eh_frame_hdr, pc))
		return false;
	run(fde.cie.instructions, &fde.cie, 0, UINTPTR_MAX, &row);
	run(fde.instructions, &fde.cie, fde.start, pc, &row);
	cfi->kind = row.kind;
	cfi->reg = row.reg;
	cfi->offset = row.offset;
	cfi->function = fde.start;
	cfi->end = fde.end;
	cfi->rbp_saved = row.rbp_saved;
	cfi->rbp_offset = row.rbp_offset;
	if (!CPU_CALL_PUSHES) {
		cfi->ret_saved = row.ret_saved;
		cfi->ret_offset = row.ret_offset;
	}
	cfi->outermost = row.outermost;
	cfi->signal_frame = fde.cie.signal_frame;
	return true;
}

/* ---- the instructions themselves */

bool cfi_code(uintptr_t eh_frame_hdr, uintptr_t pc, struct cfi_code *code)
{
	static const unsigned char usual[] = {DW_CFA_def_cfa, CFI_RSP, 8,
					      DW_CFA_offset | CFI_RETURN_ADDRESS, 1};
	const unsigned char *at;
	struct fde fde;

	if (!find_fde(&fde, eh_frame_hdr, pc))
		return false;
	code->at = fde.instructions.at;
	code->end = fde.instructions.end;
	code->function = fde.start;
	at = fde.cie.instructions.at;
	if (fde.cie.code_align != 1 || fde.cie.data_align != -8 ||
	    (size_t)(fde.cie.instructions.end - at) < sizeof(usual) ||
	    memcmp(at, usual, sizeof(usual)))
		return false;
	for (at += sizeof(usual); at < fde.cie.instructions.end; at++)
		if (*at != DW_CFA_nop)
			return false;
	return true;
}

bool cfi_code_next(struct cfi_code *code, struct cfi_step *step)
{
	static const struct cie cie = {.code_align = 1, .data_align = -8};
	static const struct row empty = {.kind = CFI_OTHER};
	struct row row = empty, saved[ROWS_SAVED];
	/*
	 * All members are named: gcc clears what is left by a string instruction, which is slow to
	 * begin. And `initial` is no copy of `row`: its words have just been stored, in halves, and a
	 * load of both waits for that.
	 */
	struct run m = {.r = {code->at, code->end},
			.cie = &cie,
			.at = 0,
			.row = &row,
			.initial = empty,
			.saved = saved,
			.depth = 0};
	unsigned char op;

	if (code->at >= code->end)
		return false;
	op = *m.r.at++;
	if (op == DW_CFA_set_loc)
		return false;
	step->advances = advance(&m, op);
	step->bytes = m.at;
	if (!step->advances && !define_cfa(&m, op) && !place_register(&m, op) &&
	    !put_by_or_take_up(&m, op))
		return false;
	step->at = code->at;
	step->length = (uint32_t)(m.r.at - code->at);
	step->offset = op == DW_CFA_def_cfa_offset ? row.offset : 0;
	code->at = m.r.at;
	return true;
}

/* ---- all functions of an image */

static bool holds(const struct cfi_image *image, uintptr_t at, uint64_t bytes)
{
	return at >= image->start && at <= image->end && bytes <= image->end - at;
}

uint64_t cfi_count(const struct cfi_image *image)
{
	const int32_t *table;
	uint64_t count;

	if (!holds(image, image->eh_frame_hdr, 4 + 32))
		return 0;
	table = table_of(image->eh_frame_hdr, &count);
	if (!table || count > (image->end - image->start) / 8 ||
	    !holds(image, (uintptr_t)table, 8 * count))
		return 0;
	return count;
}

static bool whole_entry(const struct cfi_image *image, uintptr_t at, struct reader *r)
{
	return holds(image, at, 16) && entry(r, (const unsigned char *)at) &&
	       holds(image, (uintptr_t)r->at, (uint64_t)(r->end - r->at));
}

bool cfi_range(const struct cfi_image *image, uint64_t index, uintptr_t *start, uintptr_t *end)
{
	uint64_t count;
	const int32_t *table = table_of(image->eh_frame_hdr, &count);
	struct reader r, cie_at;
	struct cie cie;
	uintptr_t back;
	uint32_t distance;

	if (!whole_entry(image, image->eh_frame_hdr + (uintptr_t)(intptr_t)table[2 * index + 1],
			 &r))
		return false;
	back = (uintptr_t)r.at;
	distance = (uint32_t)fixed(&r, 4);
	if (!distance || !whole_entry(image, back - distance, &cie_at) ||
	    !read_cie(&cie, (const unsigned char *)(back - distance)))
		return false;
	*start = encoded(&r, cie.pointer_encoding, 0);
	*end = *start + encoded(&r, cie.pointer_encoding & FORMAT, 0);
	return *start <= *end && holds(image, *start, *end - *start);
}
