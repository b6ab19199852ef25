/* SPDX-License-Identifier: MIT */
/* flow.c - see flow.h. */
#include "symbolize/flow.h"

#include <elf.h>

#include "symbolize/arm64.h"
#include "symbolize/instruction.h"

bool flow_is_known(unsigned machine)
{
	return machine == EM_X86_64 || machine == EM_AARCH64;
}

unsigned flow_step(unsigned machine)
{
	return machine == EM_AARCH64 ? ARM64_BYTES : 1;
}

/* ---- x86-64 */

static bool decode_x86_64(const uint8_t *code, uint64_t room, struct flow *f)
{
	struct instruction i;

	if (!instruction_decode(code, room, &i))
		return false;
	*f = (struct flow){.length = i.length, .to = FLOW_UNKNOWN};
	if (code[0] == 0xc3 || code[0] == 0xc2 || (code[0] == 0xf3 && code[1] == 0xc3) ||
	    (code[0] == 0xff && (code[1] >> 3 & 7) == 4) || (code[0] == 0x0f && code[1] == 0x0b)) {
		f->leaves = true;
	} else if (i.jump && code[0] != 0xe8) {
		f->leaves = true;
		if (i.immediate_bytes == 1 || i.immediate_bytes == 4)
			f->to = instruction_number(code + i.immediate_at, i.immediate_bytes);
	}
	return true;
}

/* call near, and call *slot(%rip) */
static unsigned call_x86_64(const uint8_t *code, uint64_t room, uint64_t at, uint64_t *to,
			    uint64_t *by)
{
	if (room >= 5 && code[0] == 0xe8) {
		*to = at + 5 + (uint64_t)instruction_number(code + 1, 4);
		return 5;
	}
	if (room >= 6 && code[0] == 0xff && code[1] == 0x15) {
		*by = at + 6 + (uint64_t)instruction_number(code + 2, 4);
		return 6;
	}
	return 0;
}

/* ---- arm64 */

static bool decode_arm64(const uint8_t *code, uint64_t room, struct flow *f)
{
	struct arm64_instruction i;

	if (room < ARM64_BYTES)
		return false;
	i = arm64_decode(arm64_word(code));
	*f = (struct flow){.length = ARM64_BYTES,
			   .leaves = i.kind == ARM64_JUMP || i.kind == ARM64_LEAVE,
			   .to = i.kind == ARM64_JUMP ? i.distance - ARM64_BYTES : FLOW_UNKNOWN};
	return true;
}

static unsigned call_arm64(const uint8_t *code, uint64_t room, uint64_t at, uint64_t *to)
{
	struct arm64_instruction i;

	if (room < ARM64_BYTES)
		return 0;
	i = arm64_decode(arm64_word(code));
	if (i.kind != ARM64_CALL)
		return 0;
	*to = at + (uint64_t)i.distance;
	return ARM64_BYTES;
}

/* ---- either */

bool flow_decode(unsigned machine, const uint8_t *code, uint64_t room, struct flow *f)
{
	return machine == EM_AARCH64 ? decode_arm64(code, room, f) : decode_x86_64(code, room, f);
}

unsigned flow_call(unsigned machine, const uint8_t *code, uint64_t room, uint64_t at, uint64_t *to,
		   uint64_t *by)
{
	*to = *by = 0;
	return machine == EM_AARCH64 ? call_arm64(code, room, at, to)
				     : call_x86_64(code, room, at, to, by);
}
