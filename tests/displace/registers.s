# SPDX-License-Identifier: MIT
# registers.s - sets all registers, flags and the red zone, calls `registers_target`, and stores what is there at its entry.
#
#     registers_probe     stores all into registers_seen; its entry is displaced
#     registers_plain     the same instructions; its entry is not
#     registers_call      sets all from registers_set, and calls; the stack is aligned at the call, as the psABI wants it
#     registers_call_odd  the same, with a stack pointer that is 8 bytes off
#
# Both blocks: rax at 0, rbx, rcx, rdx, rsi, rdi, rbp, r8 to r15, flags at 120, MXCSR at 128, the x87 control word at 132, eight doubles
# for the x87 stack at 136, the x87 state at 256, ymm0 to ymm15 at 512, the 128 bytes below the stack pointer at 1024, rsp at 1152.

	.macro general move, block
	\move rbx, 8, \block
	\move rcx, 16, \block
	\move rdx, 24, \block
	\move rsi, 32, \block
	\move rdi, 40, \block
	\move rbp, 48, \block
	\move r8, 56, \block
	\move r9, 64, \block
	\move r10, 72, \block
	\move r11, 80, \block
	\move r12, 88, \block
	\move r13, 96, \block
	\move r14, 104, \block
	\move r15, 112, \block
	.endm
	.macro store register, at, block
	mov %\register, \block + \at(%rip)
	.endm
	.macro load register, at, block
	mov \block + \at(%rip), %\register
	.endm
	.macro vectors op, block
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vector_\op \n, \block
	.endr
	.endm
	.macro vector_store n, block
	vmovdqu %ymm\n, \block + 512 + 32 * \n(%rip)
	.endm
	.macro vector_load n, block
	vmovdqu \block + 512 + 32 * \n(%rip), %ymm\n
	.endm

	.macro probe name
	.globl \name
	.type \name, @function
	.p2align 4
\name:	.cfi_startproc
	mov %rax, registers_seen(%rip)
	general store, registers_seen
	mov %rsp, registers_seen + 1152(%rip)
	.set at, 0
	.rept 16
	mov at - 128(%rsp), %rax
	mov %rax, registers_seen + 1024 + at(%rip)
	.set at, at + 8
	.endr
	pushf
	.cfi_adjust_cfa_offset 8
	pop %rax
	.cfi_adjust_cfa_offset -8
	mov %rax, registers_seen + 120(%rip)
	stmxcsr registers_seen + 128(%rip)
	fnstcw registers_seen + 132(%rip)
	fnsave registers_seen + 256(%rip)
	vectors store, registers_seen
	ret
	.cfi_endproc
	.size \name, . - \name
	.endm

	.macro call_probe name, room
	.globl \name
	.type \name, @function
	.p2align 4
\name:	.cfi_startproc
	.irp r, rbx, rbp, r12, r13, r14, r15
	push %\r
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset \r, 0
	.endr
	sub $\room, %rsp
	.cfi_adjust_cfa_offset \room
	.set at, 0
	.rept 16
	mov registers_set + 1024 + at(%rip), %rax
	mov %rax, at - 136(%rsp)
	.set at, at + 8
	.endr
	ldmxcsr registers_set + 128(%rip)
	fninit
	.irp n, 0, 1, 2, 3, 4, 5, 6
	fldl registers_set + 136 + 8 * \n(%rip)
	.endr
	fldcw registers_set + 132(%rip)
	vectors load, registers_set
	pushq registers_set + 120(%rip)
	.cfi_adjust_cfa_offset 8
	popf
	.cfi_adjust_cfa_offset -8
	mov registers_set(%rip), %rax
	general load, registers_set
	call *registers_target(%rip)
	cld
	fninit
	vzeroupper
	ldmxcsr registers_mxcsr(%rip)
	add $\room, %rsp
	.cfi_adjust_cfa_offset -\room
	.irp r, r15, r14, r13, r12, rbp, rbx
	pop %\r
	.cfi_adjust_cfa_offset -8
	.cfi_restore \r
	.endr
	ret
	.cfi_endproc
	.size \name, . - \name
	.endm

	.text
	probe registers_probe
	probe registers_plain
	call_probe registers_call, 520
	call_probe registers_call_odd, 528

	.data
registers_mxcsr:
	.long 0x1f80
	.bss
	.globl registers_set, registers_seen, registers_target
	.p2align 6
registers_set:
	.zero 1280
registers_seen:
	.zero 1280
registers_target:
	.zero 8
	.section .note.GNU-stack, "", @progbits
