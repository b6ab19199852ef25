/* SPDX-License-Identifier: MIT */
/* model_code.c - see model.h. */
#include "tests/entries/model.h"

#include "preload/code/cfi.h"

#include <string.h>

enum { BEGIN = 64, PLACE_BYTES = 16, CODE_BYTES = 256, JUMP = 32 };

/* A function and its part. (Code before the first is looked at, too.) */
static struct {
	unsigned char before[64];
	unsigned char of[MODEL_CODES][2][CODE_BYTES];
} code;

/*
 * The parts of the even functions begin with a frame. Those of the odd ones begin like functions, and
 * are known as parts by the jump to them.
 */
static bool begins_like_function(int function)
{
	return function & 1;
}

void model_make_code(void)
{
	for (int f = 0; f < MODEL_HOOKED; f++) {
		unsigned char *at = code.of[f][0];
		int32_t far = (int32_t)(code.of[f][1] - (at + JUMP + 5));

		at[0] = 0xe8;
		at[JUMP] = 0xe9;
		memcpy(at + JUMP + 1, &far, sizeof far);
	}
}

uintptr_t model_zone(int function)
{
	return (uintptr_t)code.of[function][0];
}

enum model_kind model_kind(int function)
{
	return function < MODEL_START ? (enum model_kind)(function % 4) : MODEL_BY_SP;
}

uintptr_t model_place(int function, bool part, int place)
{
	return (uintptr_t)code.of[function][part] + BEGIN + (uintptr_t)place * PLACE_BYTES +
	       PLACE_BYTES - 1;
}

uintptr_t model_distance(int function, int place)
{
	return 32 + 16 * (uintptr_t)(function % 3) + 16 * (uintptr_t)(place * place);
}

/* Linked in place of the library's. */
bool __wrap_cfi_find(uintptr_t eh_frame_hdr, uintptr_t pc, struct cfi *cfi);
bool __real_cfi_find(uintptr_t eh_frame_hdr, uintptr_t pc, struct cfi *cfi);
bool __wrap_cfi_find(uintptr_t eh_frame_hdr, uintptr_t pc, struct cfi *cfi)
{
	uintptr_t at = pc - (uintptr_t)code.of, within = at % CODE_BYTES;
	int function = (int)(at / CODE_BYTES / 2), place = (int)((within - BEGIN) / PLACE_BYTES);
	bool part = at / CODE_BYTES % 2;

	if (at >= sizeof code.of)
		return __real_cfi_find(eh_frame_hdr, pc, cfi);
	*cfi = (struct cfi){.kind = CFI_REGISTER,
			    .reg = CFI_RSP,
			    .offset = 8,
			    .function = pc - within,
			    .end = pc - within + CODE_BYTES,
			    .signal_frame = function == MODEL_RETURN,
			    .outermost = function == MODEL_START};
	if (function == MODEL_RETURN)
		cfi->kind = CFI_OTHER; /* an expression: registers are in memory */
	if (within < BEGIN && (!part || begins_like_function(function)))
		return true;
	if (within < BEGIN)
		place = 0;
	switch (model_kind(function)) {
	case MODEL_BORROWING:
		cfi->rbp_saved = true;
		/* fall through */
	case MODEL_BY_SP:
		cfi->offset = (int64_t)model_distance(function, place);
		break;
	case MODEL_REALIGNED:
		cfi->kind = CFI_REGISTER_DEREF;
		/* fall through */
	case MODEL_BY_RBP:
		cfi->reg = CFI_RBP;
		cfi->offset = cfi->kind == CFI_REGISTER ? 16 : -8;
		cfi->rbp_saved = true;
	}
	cfi->rbp_offset = -16;
	return true;
}
