/* SPDX-License-Identifier: MIT */
/*
 * x86_64_entry.h - the bodies of functions that the program calls and C cannot write, since every
 * register and the stack must be as the caller left them. Included by preload/base/cpu.h.
 *
 * Such a function is written out like any other, so that tools find it:
 *
 *     CPU_ENTRY void __fentry__(void)
 *     {
 *             CPU_HOOK(enter_now, 1);
 *     }
 *
 * The compiler adds nothing to the body, not even a return.
 */
#ifndef ZPROF_CPU_X86_64_ENTRY_H
#define ZPROF_CPU_X86_64_ENTRY_H

#define CPU_ENTRY __attribute__((naked, visibility("default")))

/* One instruction to a line. */
/* clang-format off */
#define CPU_PUSH(r) "	push %" #r "\n	.cfi_adjust_cfa_offset 8\n"
#define CPU_POP(r)  "	pop %" #r "\n	.cfi_adjust_cfa_offset -8\n"

/*
 * A hook: jumps to where the variable `to` of this file says, or returns (0), or is asleep (1) and
 * asks hooks_wake(is_enter) whether to look again. The two branches that a recording program does
 * not take cost it nothing: the jump through memory takes longer. While asleep, no register may
 * change but the flags.
 */
#define CPU_HOOK(to, is_enter)                                                                     \
	__asm__("0:	cmpq $1, " #to "(%rip)\n"                                                 \
		"	jb 1f\n"                                                                  \
		"	je 2f\n"                                                                  \
		"	jmp *" #to "(%rip)\n"                                                     \
		"1:	ret\n"                                                                    \
		"2:\n"                                                                            \
		CPU_PUSH(rax) CPU_PUSH(rcx) CPU_PUSH(rdx) CPU_PUSH(rsi) CPU_PUSH(rdi)              \
		CPU_PUSH(r8) CPU_PUSH(r9) CPU_PUSH(r10) CPU_PUSH(r11)                              \
		"	mov $" #is_enter ", %edi\n"                                               \
		"	call hooks_wake\n"                                                        \
		"	test %al, %al\n"                                                          \
		CPU_POP(r11) CPU_POP(r10) CPU_POP(r9) CPU_POP(r8)                                  \
		CPU_POP(rdi) CPU_POP(rsi) CPU_POP(rdx) CPU_POP(rcx) CPU_POP(rax)                   \
		"	jnz 0b\n"                                                                 \
		"	ret\n")

/*
 * A function of libc with any number of arguments: all are kept as they are, in registers and on
 * the stack, while `look` has a look at them; then the function that `real` points to is jumped to.
 */
#define CPU_LOOK_FIRST(look, real)                                                                 \
	__asm__(CPU_PUSH(rax) CPU_PUSH(rdi) CPU_PUSH(rsi) CPU_PUSH(rdx) CPU_PUSH(rcx)              \
		CPU_PUSH(r8) CPU_PUSH(r9)                                                          \
		"	call " #look "\n"                                                         \
		CPU_POP(r9) CPU_POP(r8)                                                            \
		CPU_POP(rcx) CPU_POP(rdx) CPU_POP(rsi) CPU_POP(rdi) CPU_POP(rax)                   \
		"	jmp *" #real "(%rip)\n")

/* clang-format on */

#endif
