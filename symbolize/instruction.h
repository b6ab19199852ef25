/* SPDX-License-Identifier: MIT */
/*
 * instruction.h - decodes one x86-64 instruction as far as code has to be compared (codeprint.h) or
 * moved (symbolize/plan/): its length, what it does to the flow of control, and where the numbers in
 * it are that may be addresses. Operands are not decoded.
 *
 * An instruction that this decoder does not know, such as one of AMD's XOP, must be refused, and
 * never guessed: a wrong length would split all code behind it wrongly.
 */
#ifndef SYMBOLIZE_INSTRUCTION_H
#define SYMBOLIZE_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum instruction_kind {
	INSTRUCTION_OTHER, /* goes on with the next instruction */
	INSTRUCTION_JCC,
	INSTRUCTION_JMP,
	INSTRUCTION_CALL,
	INSTRUCTION_JMP_INDIRECT,
	INSTRUCTION_CALL_INDIRECT,
	INSTRUCTION_RET,
	INSTRUCTION_TRAP,    /* ud0, ud1, ud2, hlt: never goes on */
	INSTRUCTION_INT3,    /* goes on if a debugger wants it */
	INSTRUCTION_LOOP,    /* loop, loope, loopne, jrcxz: only 8 bits of distance */
	INSTRUCTION_XBEGIN,  /* a branch to where a transaction goes on when it has failed */
	INSTRUCTION_SYSCALL, /* syscall, sysenter, int */
	INSTRUCTION_FAR,     /* calls, jumps and returns that load cs */
};

/*
 * One instruction. A displacement and an immediate are at ..._at bytes from its first one; if
 * ..._bytes is 0, there is none.
 */
struct instruction {
	unsigned length;
	enum instruction_kind kind;
	uint8_t opcode; /* its last byte, behind 0f if that is there; 0 for VEX and EVEX */
	uint8_t modrm;
	unsigned modrm_at; /* 0: there is no ModRM */
	unsigned displacement_at, displacement_bytes;
	bool from_here;      /* the displacement is relative to the instruction's end */
	bool absolute;       /* the displacement is an address that no base register is added to */
	bool by_rsp;         /* the operand is rsp, or depends on it */
	bool narrow_address; /* prefix 67 */
	unsigned immediate_at, immediate_bytes;
	bool jump; /* the immediate is relative to the instruction's end */
};

/* Decodes the instruction at CODE, of at most ROOM bytes; false if it is not known. */
bool instruction_decode(const uint8_t *code, size_t room, struct instruction *i);

/* A little-endian number of BYTES bytes, sign-extended. */
int64_t instruction_number(const uint8_t *at, unsigned bytes);

/* Whether no instruction follows: the code behind is reached by a branch, or not at all. */
static inline bool instruction_ends(const struct instruction *i)
{
	return i->kind == INSTRUCTION_JMP || i->kind == INSTRUCTION_JMP_INDIRECT ||
	       i->kind == INSTRUCTION_RET || i->kind == INSTRUCTION_TRAP;
}

#endif
