# SPDX-License-Identifier: MIT
# rows.s - functions whose first instructions are each kind of instruction that a trampoline moves (preload/displace/plan.h). All return
# their first argument and one. Those that call pass it on to `rows_callee`, or to the function that their second argument is, or is
# the table of.

	.macro begin name
	.globl \name
	.type \name, @function
	.p2align 4
\name:	.cfi_startproc
	.endm
	.macro end name
	.cfi_endproc
	.size \name, . - \name
	.endm
	.macro down
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	.endm
	.macro up
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.endm

	.text
begin rows_copy
	push %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	mov %edi, %ebx
	lea 1(%rbx), %eax
	pop %rbx
	.cfi_adjust_cfa_offset -8
	ret
end rows_copy

begin rows_endbr
	endbr64
	lea 1(%rdi), %eax
	xor %ecx, %ecx
	ret
end rows_endbr

begin rows_operand
	mov rows_one(%rip), %eax
	add %edi, %eax
	ret
end rows_operand

begin rows_operand_and_immediate
	cmpl $0x01020304, rows_number(%rip)
	jne 1f
	lea 1(%rdi), %eax
	ret
1:	xor %eax, %eax
	ret
end rows_operand_and_immediate

begin rows_jcc_short
	test %edi, %edi
	js 1f
	lea 1(%rdi), %eax
	ret
	.p2align 3
1:	lea 1(%rdi), %eax
	ret
end rows_jcc_short

begin rows_jcc_near
	test %edi, %edi
	.byte 0x0f, 0x88
	.long 1f - . - 4
	lea 1(%rdi), %eax
	ret
	.p2align 3
1:	lea 1(%rdi), %eax
	ret
end rows_jcc_near

begin rows_jmp_short
	jmp 1f
	.p2align 4, 0xcc
1:	lea 1(%rdi), %eax
	ret
end rows_jmp_short

begin rows_jmp_near
	.byte 0xe9
	.long rows_copy - . - 4
end rows_jmp_near

begin rows_return
	lea 1(%rdi), %eax
	ret
end rows_return
	.p2align 4, 0xcc

begin rows_jmp_register
	jmp *%rsi
end rows_jmp_register
	.p2align 4, 0xcc

begin rows_jmp_slot
	jmp *rows_slot(%rip)
end rows_jmp_slot

begin rows_call
	down
	call rows_callee
	up
end rows_call

begin rows_call_first
	call rows_aligned
	ret
end rows_call_first

begin rows_call_register
	down
	call *%rsi
	up
end rows_call_register

begin rows_call_memory
	down
	call *8(%rdx)
	up
end rows_call_memory

begin rows_call_slot
	down
	call *rows_slot(%rip)
	up
end rows_call_slot

begin rows_aligned
	sub $16, %rsp
	.cfi_adjust_cfa_offset 16
	call rows_callee
	add $16, %rsp
	.cfi_adjust_cfa_offset -16
	ret
end rows_aligned

	.section .data.rel.ro, "aw"
	.p2align 3
rows_slot:
	.quad rows_callee
	.section .rodata
	.p2align 2
rows_one:
	.long 1
rows_number:
	.long 0x01020304
	.section .note.GNU-stack, "", @progbits
