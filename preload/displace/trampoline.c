/* SPDX-License-Identifier: MIT */
/* trampoline.c - see trampoline.h. */
#include "preload/displace/trampoline.h"

#include "preload/base/sys.h"
#include "preload/code/areas.h"

void code_bytes(struct code *c, const void *bytes, uint32_t count)
{
	memcpy(c->at, bytes, count);
	c->at += count;
	c->here += count;
}

void code_distance(struct code *c, uintptr_t target, int32_t behind)
{
	int64_t distance = (int64_t)(target - c->here) - (int64_t)sizeof(int32_t) - behind;
	int32_t low = (int32_t)distance;

	c->too_far |= low != distance;
	code_bytes(c, &low, sizeof(low));
}

static void head(struct code *c, const struct displaced *d, const struct trampoline *t)
{
	static const unsigned char nop[] = {AREA_MOVED - 2, 0x44, 0, 0};
	static const unsigned char begin[] = {0x48, 0x8d, 0x64,
					      0x24, 0x80,        /* lea -128(%rsp), %rsp */
					      0x50,              /* push %rax */
					      0x48, 0x8d, 0x05}; /* lea ...(%rip), %rax */
	static const unsigned char end[] = {0x58,                /* pop %rax; lea 128(%rsp), %rsp */
					    0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0, 0x90};

	code_byte(c, t->off ? AREA_OFF : AREA_ON);
	code_bytes(c, nop, sizeof(nop));
	code_bytes(c, begin, sizeof(begin));
	code_distance(c, d->function, 0);
	code_byte(c, 0xe8);
	code_distance(c, t->hook, 0);
	code_bytes(c, end, sizeof(end));
}

/* The original instruction: the plan's bytes, which are those in memory. */
static const unsigned char *original(const struct displaced *d, const struct plan_instruction *m)
{
	return d->window->original + m->at;
}

/* Copies an instruction; a displacement leads to the same address from here. */
static void copy(struct code *c, const struct displaced *d, const struct plan_instruction *m)
{
	const unsigned char *bytes = original(d, m);
	uint32_t at = m->displacement_at, behind;

	if (!at) {
		code_bytes(c, bytes, m->length);
		return;
	}
	behind = m->length - at - (uint32_t)sizeof(int32_t);
	code_bytes(c, bytes, at);
	code_distance(c, d->base + m->target, (int32_t)behind);
	code_bytes(c, bytes + at + sizeof(int32_t), behind);
}

static void push_return_address(struct code *c, const struct displaced *d,
				const struct plan_instruction *m, struct trampoline *t,
				uintptr_t begin)
{
	static const unsigned char push[] = {0xff, 0x35}; /* push ...(%rip) */

	code_bytes(c, push, sizeof(push));
	code_distance(c, t->slot, 0);
	t->slot_word = d->patch + m->at + m->length;
	t->pushed_at = (uint32_t)(c->here - begin);
}

/* Makes `jmp *operand` of `call *operand`: bits 3 to 5 of ModRM are 2 for a call, 4 for a jump. */
static void jump_by_operand(struct code *c, const struct displaced *d,
			    const struct plan_instruction *m)
{
	unsigned char *begin = c->at;

	copy(c, d, m);
	begin[m->modrm_at] = (unsigned char)((begin[m->modrm_at] & ~0x38) | 4 << 3);
}

static void move(struct code *c, const struct displaced *d, const struct plan_instruction *m,
		 struct trampoline *t, uintptr_t begin)
{
	switch (m->kind) {
	case PLAN_KIND_COPY:
	case PLAN_KIND_END:
	case PLAN_KIND_OPERAND:
	case PLAN_KIND_OPERAND_END:
		copy(c, d, m);
		break;
	case PLAN_KIND_JCC:
		code_byte(c, 0x0f);
		code_byte(c, (unsigned char)(0x80 | m->condition));
		code_distance(c, d->base + m->target, 0);
		break;
	case PLAN_KIND_CALL:
		push_return_address(c, d, m, t, begin);
		/* fall through */
	case PLAN_KIND_JMP:
		code_byte(c, 0xe9);
		code_distance(c, d->base + m->target, 0);
		break;
	case PLAN_KIND_CALL_INDIRECT:
		push_return_address(c, d, m, t, begin);
		jump_by_operand(c, d, m);
	}
}

static bool ends(const struct plan_instruction *m)
{
	static const bool by_kind[PLAN_KINDS] = {
#define PLAN_KIND(name, word, ends) [PLAN_KIND_##name] = (ends),
#include "preload/displace/plan.def"
	};

	return by_kind[m->kind];
}

bool trampoline_write(struct code *c, const struct displaced *d, struct trampoline *t)
{
	uint32_t i, n = d->window->instructions;
	uintptr_t begin = c->here;

	t->slot_word = t->pushed_at = 0;
	c->too_far = false;
	head(c, d, t);
	for (i = 0; i < n; i++) {
		t->moved_at[i] = (uint32_t)(c->here - begin);
		move(c, d, &d->moved[i], t, begin);
	}
	t->moved_at[i] = (uint32_t)(c->here - begin);
	if (!ends(&d->moved[n - 1])) {
		code_byte(c, 0xe9);
		code_distance(c, d->patch + d->window->bytes, 0);
	}
	t->bytes = (uint32_t)(c->here - begin);
	return !c->too_far;
}
