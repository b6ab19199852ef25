/* SPDX-License-Identifier: MIT */
/* rows.c - see rows.h. */
#include "preload/displace/rows.h"

#include "preload/base/sys.h"
#include "preload/code/areas.h"
#include "preload/code/cfi.h"

#include <dwarf.h>

#define RETURN_ADDRESS_BYTES 8
#define RAX_BYTES            8
#define PUSHED_BYTES         8
#define COPIED_MOST          (FRAME_BYTES - 96) /* the rest has room for all else */

static void word(struct code *c, uint32_t n)
{
	code_bytes(c, &n, sizeof(n));
}

static void uleb(struct code *c, uint32_t n)
{
	for (; n > 0x7f; n >>= 7)
		code_byte(c, (n & 0x7f) | 0x80);
	code_byte(c, n);
}

/* Pads an entry to whole words, and stores its length, which stands in front of it. */
static void end(struct code *c, unsigned char *entry)
{
	uint32_t bytes;

	while ((c->at - entry) & 3)
		code_byte(c, DW_CFA_nop);
	bytes = (uint32_t)(c->at - entry) - (uint32_t)sizeof(bytes);
	memcpy(entry, &bytes, sizeof(bytes));
}

void rows_begin(struct code *c)
{
	static const unsigned char cie[] = {
	    0,
	    0,
	    0,
	    0,
	    1,
	    'z',
	    'R',
	    0, /* a CIE, version 1, augmentation */
	    1,
	    0x78,
	    CFI_RETURN_ADDRESS, /* alignment of code and data: 1, -8 */
	    1,
	    DW_EH_PE_pcrel | DW_EH_PE_sdata4, /* how addresses are written */
	    DW_CFA_def_cfa,
	    CFI_RSP,
	    RETURN_ADDRESS_BYTES, /* CFA = rsp + 8 */
	    DW_CFA_offset | CFI_RETURN_ADDRESS,
	    1}; /* the return address at CFA - 8 */
	unsigned char *entry = c->at;

	word(c, 0);
	code_bytes(c, cie, sizeof(cie));
	end(c, entry);
}

static unsigned char *begin_entry(struct code *c, uintptr_t cie, uintptr_t begin, uint32_t bytes)
{
	unsigned char *entry = c->at;

	word(c, 0);
	word(c, (uint32_t)(c->here - cie));
	code_distance(c, begin,
		      -(int32_t)sizeof(int32_t)); /* from its own place, not from its end */
	word(c, bytes);
	code_byte(c, 0);
	return entry;
}

void rows_plain(struct code *c, uintptr_t cie, uintptr_t begin, uint32_t bytes)
{
	end(c, begin_entry(c, cie, begin, bytes));
}

/* The rows of an entry as they are written: `at` is where in the code the present row begins. */
struct rows {
	struct code *c;
	uint32_t at;
	uint32_t offset; /* of the CFA from rsp, as long as rows say that */
};

static void advance(struct rows *r, uint32_t to)
{
	uint32_t bytes = to - r->at;

	if (bytes && bytes < 0x40) {
		code_byte(r->c, DW_CFA_advance_loc | bytes);
	} else if (bytes) {
		code_byte(r->c, DW_CFA_advance_loc1);
		code_byte(r->c, bytes);
	}
	r->at = to;
}

static void offset(struct rows *r, uint32_t at, uint32_t bytes)
{
	advance(r, at);
	code_byte(r->c, DW_CFA_def_cfa_offset);
	uleb(r->c, bytes);
	r->offset = bytes;
}

/* From the hook's return on there are the program's own registers again. */
static void hook(struct rows *r)
{
	uint32_t stepped = RETURN_ADDRESS_BYTES + AREA_RED_ZONE;

	offset(r, AREA_PUSH, stepped);
	offset(r, AREA_FUNCTION, stepped + RAX_BYTES);
	offset(r, AREA_GIVE_BACK, stepped);
	offset(r, AREA_GIVEN_BACK, RETURN_ADDRESS_BYTES);
}

/* The place in the trampoline of the instruction `bytes` behind the patched address; 0: none. */
static uint32_t moved_to(const struct displaced *d, const struct trampoline *t, uint64_t bytes)
{
	uint32_t i, n = d->window->instructions;

	for (i = 0; i < n; i++)
		if (d->moved[i].at == bytes)
			return t->moved_at[i];
	return d->window->bytes == bytes ? t->moved_at[n] : 0;
}

/* Copies the rows of the displaced instructions. */
static void moved(struct rows *r, const struct displaced *d, const struct trampoline *t,
		  uintptr_t eh_frame_hdr)
{
	uint64_t begin = d->patch - d->function, at = 0;
	uint32_t copied = 0, to;
	struct cfi_code code;
	struct cfi_step step;

	if (!cfi_code(eh_frame_hdr, d->function, &code) || code.function != d->function)
		return;
	while (copied < COPIED_MOST && cfi_code_next(&code, &step)) {
		if (step.advances) {
			at += step.bytes;
			if (at > begin + d->window->bytes ||
			    (t->pushed_at && at == begin + d->window->bytes))
				return;
			to = moved_to(d, t, at < begin ? 0 : at - begin);
			if (!to)
				return;
			advance(r, to);
			continue;
		}
		if (copied + step.length > COPIED_MOST)
			return;
		code_bytes(r->c, step.at, step.length);
		copied += step.length;
		if (step.offset)
			r->offset = (uint32_t)step.offset;
	}
}

/*
 * The jump that stands for the call comes when the return address has been pushed. (No frame is found
 * by rbp within the first five bytes of a function, but for one whose first instructions are a push
 * and a move, and these are behind each other before the call.)
 */
static void pushed(struct rows *r, const struct trampoline *t)
{
	if (t->pushed_at && r->at <= t->pushed_at)
		offset(r, t->pushed_at, r->offset + PUSHED_BYTES);
}

void rows_write(struct code *c, uintptr_t cie, uintptr_t begin, const struct displaced *d,
		const struct trampoline *t, uintptr_t eh_frame_hdr)
{
	unsigned char *entry = begin_entry(c, cie, begin, t->bytes);
	struct rows r = {.c = c};

	hook(&r);
	moved(&r, d, t, eh_frame_hdr);
	pushed(&r, t);
	end(c, entry);
}

void rows_table(struct code *c, uintptr_t eh_frame, uint32_t rows)
{
	code_byte(c, 1);
	code_byte(c, DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	code_byte(c, DW_EH_PE_udata4);
	code_byte(c, DW_EH_PE_datarel | DW_EH_PE_sdata4);
	code_distance(c, eh_frame, -(int32_t)sizeof(int32_t));
	word(c, rows);
}

void rows_entry(struct code *c, uintptr_t hdr, uintptr_t begin, uintptr_t entry)
{
	word(c, (uint32_t)(begin - hdr));
	word(c, (uint32_t)(entry - hdr));
}
