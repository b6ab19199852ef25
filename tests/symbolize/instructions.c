/* SPDX-License-Identifier: MIT */
/* instructions.c - picked encodings, and what symbolize/instruction.c must make of them. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "symbolize/instruction.h"

/*
 * `displacement` is the position of one that is relative to the instruction, `target` that of a
 * jump's distance; 0: there is none. A length of 0: the instruction is refused.
 */
static const struct row {
	const char *text, *bytes;
	unsigned length;
	enum instruction_kind kind;
	unsigned modrm, displacement, target;
	bool by_rsp;
} rows[] = {
    {"endbr64", "f3 0f 1e fa", 4, INSTRUCTION_OTHER, 3, 0, 0, false},
    {"push %rbp", "55", 1, INSTRUCTION_OTHER, 0, 0, 0, false},
    {"lea 8(%rip),%rax", "48 8d 05 08 00 00 00", 7, INSTRUCTION_OTHER, 2, 3, 0, false},
    {"cmpb $1,8(%rip)", "80 3d 08 00 00 00 01", 7, INSTRUCTION_OTHER, 1, 2, 0, false},
    {"movl $1,8(%rip)", "c7 05 08 00 00 00 01 00 00 00", 10, INSTRUCTION_OTHER, 1, 2, 0, false},
    {"movw $1,8(%rip)", "66 c7 05 08 00 00 00 01 00", 9, INSTRUCTION_OTHER, 2, 3, 0, false},
    {"testl $1,8(%rip)", "f7 05 08 00 00 00 01 00 00 00", 10, INSTRUCTION_OTHER, 1, 2, 0, false},
    {"notl 8(%rip)", "f7 15 08 00 00 00", 6, INSTRUCTION_OTHER, 1, 2, 0, false},
    {"mov %fs:0,%rax", "64 48 8b 04 25 00 00 00 00", 9, INSTRUCTION_OTHER, 3, 0, 0, false},
    {"movabs $1,%rax", "48 b8 01 00 00 00 00 00 00 00", 10, INSTRUCTION_OTHER, 0, 0, 0, false},
    {"mov 0x1122334455667788,%al", "a0 88 77 66 55 44 33 22 11", 9, INSTRUCTION_OTHER, 0, 0, 0,
     false},
    {"je short", "74 10", 2, INSTRUCTION_JCC, 0, 0, 1, false},
    {"je near", "0f 84 10 00 00 00", 6, INSTRUCTION_JCC, 0, 0, 2, false},
    {"jne near, with a hint", "2e 0f 85 10 00 00 00", 7, INSTRUCTION_JCC, 0, 0, 3, false},
    {"jmp short", "eb 10", 2, INSTRUCTION_JMP, 0, 0, 1, false},
    {"jmp near", "e9 10 00 00 00", 5, INSTRUCTION_JMP, 0, 0, 1, false},
    {"bnd jmp near", "f2 e9 10 00 00 00", 6, INSTRUCTION_JMP, 0, 0, 2, false},
    {"jmp *8(%rip)", "ff 25 08 00 00 00", 6, INSTRUCTION_JMP_INDIRECT, 1, 2, 0, false},
    {"jmp *%rax", "ff e0", 2, INSTRUCTION_JMP_INDIRECT, 1, 0, 0, false},
    {"notrack jmp *%rax", "3e ff e0", 3, INSTRUCTION_JMP_INDIRECT, 2, 0, 0, false},
    {"jmp *table(,%rax,8)", "ff 24 c5 00 10 40 00", 7, INSTRUCTION_JMP_INDIRECT, 1, 0, 0, false},
    {"call near", "e8 10 00 00 00", 5, INSTRUCTION_CALL, 0, 0, 1, false},
    {"data16 rex.W call", "66 48 e8 10 00 00 00", 7, INSTRUCTION_CALL, 0, 0, 3, false},
    {"call *8(%rip)", "ff 15 08 00 00 00", 6, INSTRUCTION_CALL_INDIRECT, 1, 2, 0, false},
    {"call *%rax", "ff d0", 2, INSTRUCTION_CALL_INDIRECT, 1, 0, 0, false},
    {"call *%r11", "41 ff d3", 3, INSTRUCTION_CALL_INDIRECT, 2, 0, 0, false},
    {"call *%rsp", "ff d4", 2, INSTRUCTION_CALL_INDIRECT, 1, 0, 0, true},
    {"call *%r12", "41 ff d4", 3, INSTRUCTION_CALL_INDIRECT, 2, 0, 0, false},
    {"call *(%rsp)", "ff 14 24", 3, INSTRUCTION_CALL_INDIRECT, 1, 0, 0, true},
    {"call *8(%rsp)", "ff 54 24 08", 4, INSTRUCTION_CALL_INDIRECT, 1, 0, 0, true},
    {"call *(%r12)", "41 ff 14 24", 4, INSTRUCTION_CALL_INDIRECT, 2, 0, 0, false},
    {"lcall *(%rax)", "ff 18", 2, INSTRUCTION_FAR, 1, 0, 0, false},
    {"ret", "c3", 1, INSTRUCTION_RET, 0, 0, 0, false},
    {"rep ret", "f3 c3", 2, INSTRUCTION_RET, 0, 0, 0, false},
    {"ret $8", "c2 08 00", 3, INSTRUCTION_RET, 0, 0, 0, false},
    {"lret", "cb", 1, INSTRUCTION_FAR, 0, 0, 0, false},
    {"ud2", "0f 0b", 2, INSTRUCTION_TRAP, 0, 0, 0, false},
    {"ud1", "0f b9 c0", 3, INSTRUCTION_TRAP, 2, 0, 0, false},
    {"hlt", "f4", 1, INSTRUCTION_TRAP, 0, 0, 0, false},
    {"int3", "cc", 1, INSTRUCTION_INT3, 0, 0, 0, false},
    {"loop", "e2 10", 2, INSTRUCTION_LOOP, 0, 0, 1, false},
    {"jrcxz", "e3 10", 2, INSTRUCTION_LOOP, 0, 0, 1, false},
    {"xbegin", "c7 f8 10 00 00 00", 6, INSTRUCTION_XBEGIN, 1, 0, 2, false},
    {"xabort", "c6 f8 10", 3, INSTRUCTION_OTHER, 1, 0, 0, false},
    {"syscall", "0f 05", 2, INSTRUCTION_SYSCALL, 0, 0, 0, false},
    {"int $0x80", "cd 80", 2, INSTRUCTION_SYSCALL, 0, 0, 0, false},
    {"nop of 11 bytes", "66 66 2e 0f 1f 84 00 00 00 00 00", 11, INSTRUCTION_OTHER, 5, 0, 0, false},
    {"fldl 8(%rip)", "dd 05 08 00 00 00", 6, INSTRUCTION_OTHER, 1, 2, 0, false},
    {"faddp", "de c1", 2, INSTRUCTION_OTHER, 1, 0, 0, false},
    {"vzeroupper", "c5 f8 77", 3, INSTRUCTION_OTHER, 0, 0, 0, false},
    {"vmovdqu 8(%rip),%ymm0", "c5 fe 6f 05 08 00 00 00", 8, INSTRUCTION_OTHER, 3, 4, 0, false},
    {"vpalignr $1,8(%rip),%xmm0,%xmm0", "c4 e3 79 0f 05 08 00 00 00 01", 10, INSTRUCTION_OTHER, 4,
     5, 0, false},
    {"kortestd %k0,%k0", "c4 e1 f9 98 c0", 5, INSTRUCTION_OTHER, 4, 0, 0, false},
    {"vmovdqu64 8(%rip),%zmm0", "62 f1 fe 48 6f 05 08 00 00 00", 10, INSTRUCTION_OTHER, 5, 6, 0,
     false},
    {"vpternlogd $255,%zmm0,%zmm0,%zmm0", "62 f3 7d 48 25 c0 ff", 7, INSTRUCTION_OTHER, 5, 0, 0,
     false},
    {"pop (%rax)", "8f 00", 2, INSTRUCTION_OTHER, 1, 0, 0, false},
    {"an instruction of AMD's XOP", "8f e9 78 90 c0", 0, INSTRUCTION_OTHER, 0, 0, 0, false},
    {"no instruction of 64-bit code", "06", 0, INSTRUCTION_OTHER, 0, 0, 0, false},
    {"cut off", "e8 10 00", 0, INSTRUCTION_OTHER, 0, 0, 0, false},
    {"longer than 15 bytes", "66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90", 0,
     INSTRUCTION_OTHER, 0, 0, 0, false},
};

static void each_row_is_decoded(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		const struct row *row = &rows[k];
		uint8_t code[32];
		unsigned n = 0, byte;
		int used;
		for (const char *at = row->bytes; sscanf(at, "%2x%n", &byte, &used) == 1;
		     at += used)
			code[n++] = (uint8_t)byte;
		struct instruction i;
		bool known = instruction_decode(code, n, &i);
		bool right = known == (row->length != 0);
		if (known && right)
			right = i.length == row->length && i.kind == row->kind &&
				i.modrm_at == row->modrm &&
				(i.from_here ? i.displacement_at : 0) == row->displacement &&
				(i.jump ? i.immediate_at : 0) == row->target &&
				(i.kind != INSTRUCTION_CALL_INDIRECT || i.by_rsp == row->by_rsp);
		if (!right)
			print_error("%s (%s) is decoded wrongly\n", row->text, row->bytes);
		assert_true(right);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_row_is_decoded),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
