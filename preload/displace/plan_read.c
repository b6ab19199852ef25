/* SPDX-License-Identifier: MIT */
/* plan_read.c - see plan_read.h. */
#include "preload/displace/plan_read.h"

static const bool kind_ends[PLAN_KINDS] = {
#define PLAN_KIND(name, word, ends) ends,
#include "preload/displace/plan.def"
};

static bool equal(const void *one, const void *other, size_t bytes)
{
	const uint8_t *a = one, *b = other;
	for (size_t i = 0; i < bytes; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static bool zero(const uint8_t *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (at[i])
			return false;
	return true;
}

static int32_t distance_at(const uint8_t *at)
{
	return (int32_t)(at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
			 (uint32_t)at[3] << 24);
}

static bool check_header(const struct plan_header *h, size_t size, struct plan *plan)
{
	if (!equal(h->magic, PLAN_MAGIC, sizeof(h->magic)) || h->version != PLAN_VERSION ||
	    h->header_bytes != sizeof(*h) || h->file_bytes != size || h->module >= PLAN_MODULES ||
	    h->image_bytes > PLAN_IMAGE_BYTES || h->build_id_bytes > PLAN_BUILD_ID ||
	    !zero(h->build_id + h->build_id_bytes, PLAN_BUILD_ID - h->build_id_bytes))
		return false;
	if (h->module != PLAN_MODULE_NONE && (h->codes || h->functions))
		return false;
	/* Counts have 32 bits, so the sum cannot overflow. */
	uint64_t codes = (uint64_t)h->codes * sizeof(struct plan_code);
	uint64_t windows = (uint64_t)h->windows * sizeof(struct plan_window);
	uint64_t instructions = (uint64_t)h->instructions * sizeof(struct plan_instruction);
	if (sizeof(*h) + codes + windows + instructions != size)
		return false;
	const char *at = (const char *)h;
	plan->header = h;
	plan->codes = (const void *)(at + sizeof(*h));
	plan->windows = (const void *)(at + sizeof(*h) + codes);
	plan->instructions = (const void *)(at + sizeof(*h) + codes + windows);
	return true;
}

/* Whether the owner and the window of code number N are what its class allows. */
static bool check_class(const struct plan *plan, uint32_t n)
{
	const struct plan_code *c = &plan->codes[n];
	bool patched = c->class == PLAN_CLASS_FUNCTION && c->refusal == PLAN_REFUSAL_NONE;
	if (c->class >= PLAN_CLASSES || c->refusal >= PLAN_REFUSALS ||
	    (c->class != PLAN_CLASS_FUNCTION && c->refusal != PLAN_REFUSAL_NONE) ||
	    c->reserved[0] || c->reserved[1])
		return false;
	if (patched ? c->window >= plan->header->windows || plan->windows[c->window].code != n
		    : c->window != PLAN_NOBODY)
		return false;
	if (c->class == PLAN_CLASS_FUNCTION)
		return c->owner == n;
	if (c->owner == PLAN_NOBODY)
		return true;
	return (c->class == PLAN_CLASS_COLD || c->class == PLAN_CLASS_JUMPED) &&
	       c->owner < plan->header->codes && plan->codes[c->owner].class == PLAN_CLASS_FUNCTION;
}

static bool check_codes(const struct plan *plan)
{
	uint64_t end = 0;
	uint32_t functions = 0;
	for (uint32_t n = 0; n < plan->header->codes; n++) {
		const struct plan_code *c = &plan->codes[n];
		if (c->start < end || !c->bytes || !check_class(plan, n))
			return false;
		end = (uint64_t)c->start + c->bytes;
		if (end > plan->header->image_bytes)
			return false;
		functions += c->class == PLAN_CLASS_FUNCTION;
	}
	return functions == plan->header->functions;
}

/* Whether the distance of a jcc, jmp or call agrees with its opcode, its bytes and its target. */
static bool check_branch(const struct plan_instruction *i, const uint8_t *bytes, int64_t end)
{
	const uint8_t *last = bytes + i->length;
	bool near = i->length >= 2 &&
		    (i->kind == PLAN_KIND_JCC ? last[-2] == (0x70 | i->condition)
					      : i->kind == PLAN_KIND_JMP && last[-2] == 0xeb);
	bool far = i->kind == PLAN_KIND_JCC
		       ? i->length >= 6 && last[-6] == 0x0f && last[-5] == (0x80 | i->condition)
		       : i->length >= 5 && last[-5] == (i->kind == PLAN_KIND_JMP ? 0xe9 : 0xe8);
	return (near && end + (int8_t)last[-1] == i->target) ||
	       (far && end + distance_at(last - 4) == i->target);
}

/* Whether a new displacement can be put in place of the old one. */
static bool check_operand(const struct plan_instruction *i, const uint8_t *bytes, int64_t end)
{
	return i->displacement_at && i->displacement_at + 4 <= i->length &&
	       end + distance_at(bytes + i->displacement_at) == i->target;
}

/* BYTES are the instruction's, END is the offset behind the instruction. */
static bool check_instruction(const struct plan *plan, const struct plan_instruction *i,
			      const uint8_t *bytes, int64_t end)
{
	if (i->reserved[0] || i->reserved[1] || i->target >= plan->header->image_bytes ||
	    (i->kind != PLAN_KIND_JCC ? i->condition : i->condition > 15))
		return false;
	if (i->kind != PLAN_KIND_CALL_INDIRECT && i->modrm_at)
		return false;
	switch (i->kind) {
	case PLAN_KIND_COPY:
	case PLAN_KIND_END:
		return !i->displacement_at && !i->target;
	case PLAN_KIND_OPERAND:
	case PLAN_KIND_OPERAND_END:
		return check_operand(i, bytes, end);
	case PLAN_KIND_JCC:
	case PLAN_KIND_JMP:
	case PLAN_KIND_CALL:
		return !i->displacement_at && check_branch(i, bytes, end);
	default: /* PLAN_KIND_CALL_INDIRECT */
		return i->modrm_at && i->modrm_at < i->length && bytes[i->modrm_at - 1] == 0xff &&
		       (bytes[i->modrm_at] >> 3 & 7) == 2 &&
		       (i->displacement_at ? check_operand(i, bytes, end) : !i->target);
	}
}

/* Whether the instructions of a window fill it as the jump needs it. */
static bool check_instructions(const struct plan *plan, const struct plan_window *w)
{
	unsigned at = 0;
	bool ended = false;
	for (unsigned n = 0; n < w->instructions; n++) {
		const struct plan_instruction *i = &plan->instructions[w->first_instruction + n];
		if (ended || at >= PLAN_JUMP_BYTES || i->at != at || i->kind >= PLAN_KINDS ||
		    !i->length || i->length > 15 || at + i->length > w->bytes ||
		    !check_instruction(plan, i, w->original + at,
				       (int64_t)w->patch + at + i->length))
			return false;
		at += i->length;
		ended = kind_ends[i->kind];
	}
	return at == w->bytes || (ended && at < PLAN_JUMP_BYTES && w->bytes == PLAN_JUMP_BYTES);
}

static bool check_windows(const struct plan *plan)
{
	const struct plan_header *h = plan->header;
	uint64_t instructions = 0;
	uint32_t next_code = 0;
	for (uint32_t n = 0; n < h->windows; n++) {
		const struct plan_window *w = &plan->windows[n];
		if (w->code < next_code || w->code >= h->codes || plan->codes[w->code].window != n)
			return false;
		const struct plan_code *c = &plan->codes[w->code];
		uint64_t end = (uint64_t)w->patch + w->bytes;
		uint64_t limit = w->code + 1 < h->codes ? c[1].start : h->image_bytes;
		next_code = w->code + 1;
		if ((w->patch != c->start && w->patch != c->start + 4) ||
		    w->patch >= c->start + c->bytes || end > limit || w->bytes < PLAN_JUMP_BYTES ||
		    w->bytes > PLAN_WINDOW_BYTES || w->relay || !zero(w->relay_original, 5) ||
		    !zero(w->reserved, 2) || !zero(w->reserved_2, 3) ||
		    !zero(w->original + w->bytes, PLAN_WINDOW_BYTES - w->bytes) ||
		    !w->instructions || w->instructions > PLAN_INSTRUCTIONS ||
		    w->first_instruction != instructions)
			return false;
		instructions += w->instructions;
		if (instructions > h->instructions || !check_instructions(plan, w))
			return false;
	}
	return instructions == h->instructions;
}

/*
 * FNV-1a by words, of which all tables consist. Each of four sums takes every fourth word, so that a
 * processor works on four multiplications at once.
 */
uint32_t plan_sum(const void *bytes, size_t size)
{
	const uint32_t *words = bytes;
	uint32_t sums[] = {0x811c9dc5, 0x811c9dc4, 0x811c9dc3, 0x811c9dc2}, sum = 0;
	for (size_t k = 0; k < size / 4; k++) {
		uint32_t word = k == offsetof(struct plan_header, sum) / 4 ? 0 : words[k];
		uint32_t *s = &sums[k % 4];
		*s = (*s ^ word) * 0x01000193;
		*s ^= *s >> 15;
	}
	for (unsigned k = 0; k < 4; k++)
		sum = (sum ^ sums[k]) * 0x01000193;
	return sum;
}

bool plan_check(const void *bytes, size_t size, struct plan *plan)
{
	if (size < sizeof(struct plan_header) || (uintptr_t)bytes % 8 ||
	    !check_header(bytes, size, plan))
		return false;
	return plan->header->sum == plan_sum(bytes, size) && check_codes(plan) &&
	       check_windows(plan);
}

bool plan_is_of(const struct plan *plan, const void *build_id, size_t build_id_bytes)
{
	size_t kept = build_id_bytes < PLAN_BUILD_ID ? build_id_bytes : PLAN_BUILD_ID;
	return kept && plan->header->build_id_bytes == kept &&
	       equal(plan->header->build_id, build_id, kept);
}

uint32_t plan_find(const struct plan *plan, uint32_t offset)
{
	uint32_t low = 0,
		 high = plan->header->codes; /* the first code behind OFFSET is in [low, high] */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (plan->codes[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || offset - plan->codes[low - 1].start >= plan->codes[low - 1].bytes)
		return PLAN_NOBODY;
	return low - 1;
}

uint32_t plan_function_at(const struct plan *plan, uint32_t offset)
{
	uint32_t code = plan_find(plan, offset);
	return code == PLAN_NOBODY ? code : plan->codes[code].owner;
}
