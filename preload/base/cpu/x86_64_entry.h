/* SPDX-License-Identifier: MIT */
/*
 * x86_64_entry.h - the bodies of functions that the program calls and C cannot write, since every
 * register and the stack must be as the caller left them. Included by preload/base/cpu.h.
 *
 * Such a function is defined in the text like any other, so that tools for C find it:
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

#define CPU_ENTRY   __attribute__((naked, visibility("default")))
#define CPU_HANDLER static __attribute__((naked)) /* for the kernel to call */
#define CPU_NAKED   __attribute__((naked))        /* for other code of the library to call */

/* One instruction to a line. */
/* clang-format off */
#define CPU_PUSH(r) "	push %" #r "\n	.cfi_adjust_cfa_offset 8\n"
#define CPU_POP(r)  "	pop %" #r "\n	.cfi_adjust_cfa_offset -8\n"

/*
 * The body of a hook. If the variable `to` holds an address, the hook jumps there; 0: the hook
 * returns; 1: the hook is asleep, and asks hooks_wake(is_enter) whether to look at `to` again. A
 * recording program does not take the branch, and it costs nothing: the jump through memory takes
 * longer. While asleep, no register may change but the flags.
 */
#define CPU_HOOK(to, is_enter)                                                                     \
	__asm__("0:	cmpq $1, " #to "(%rip)\n"                                                 \
		"	jbe 1f\n"                                                                 \
		"	jmp *" #to "(%rip)\n"                                                     \
		"1:	je 2f\n"                                                                  \
		"	ret\n"                                                                    \
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
 * Counts the block of code that the call returns to. `now` points to five words: where a module's
 * code begins; how many bytes it has; its counters, one for each 4 bytes of code; the address of a
 * byte that is not 0 as long as there is one thread; a number, which is 2 if nothing is to be
 * counted. A block outside of this code, and every block while `now` is NULL, goes to the function
 * `elsewhere`, which gets the block's address. The compiler makes an ordinary call, so registers
 * are free.
 */
#define CPU_COUNT_BLOCK(now, elsewhere)                                                            \
	__asm__("	mov " #now "(%rip), %rax\n"                                                \
		"	mov (%rsp), %rcx\n"                                                       \
		"	test %rax, %rax\n"                                                        \
		"	jz 2f\n"                                                                  \
		"	sub (%rax), %rcx\n"                                                       \
		"	cmp 8(%rax), %rcx\n"                                                      \
		"	jae 3f\n"                                                                 \
		"	mov 16(%rax), %rdx\n"                                                     \
		"	mov 24(%rax), %rsi\n"                                                     \
		"	shr $2, %rcx\n"                                                           \
		"	cmpb $0, (%rsi)\n"                                                        \
		"	je 1f\n"                                                                  \
		"	incq (%rdx, %rcx, 8)\n"                                                   \
		"	ret\n"                                                                    \
		"1:	lock incq (%rdx, %rcx, 8)\n"                                              \
		"	ret\n"                                                                    \
		"3:	cmpl $2, 32(%rax)\n"                                                       \
		"	jne 2f\n"                                                                  \
		"	ret\n"                                                                     \
		"2:	mov (%rsp), %rdi\n"                                                       \
		"	jmp " #elsewhere "\n")

/*
 * The body of a function that stands in front of one of libc's, with any number of arguments. First
 * `look` is called, and the arguments stay as they are, in registers and on the stack. Then the
 * code jumps to the function that `real` points to, which gets the same arguments.
 */
#define CPU_LOOK_FIRST(look, real)                                                                 \
	__asm__(CPU_PUSH(rax) CPU_PUSH(rdi) CPU_PUSH(rsi) CPU_PUSH(rdx) CPU_PUSH(rcx)              \
		CPU_PUSH(r8) CPU_PUSH(r9)                                                          \
		"	call " #look "\n"                                                         \
		CPU_POP(r9) CPU_POP(r8)                                                            \
		CPU_POP(rcx) CPU_POP(rdx) CPU_POP(rsi) CPU_POP(rdi) CPU_POP(rax)                   \
		"	jmp *" #real "(%rip)\n")

/*
 * The body of a signal handler. `look` gets the handler's arguments, and returns another function.
 * The code jumps to that function with the same arguments, as if it were the handler; 0: the
 * handler returns.
 */
#define CPU_SIGNAL(look)                                                                           \
	__asm__(CPU_PUSH(rdi) CPU_PUSH(rsi) CPU_PUSH(rdx)                                          \
		"	call " #look "\n"                                                         \
		CPU_POP(rdx) CPU_POP(rsi) CPU_POP(rdi)                                             \
		"	test %rax, %rax\n"                                                        \
		"	jz 1f\n"                                                                  \
		"	jmp *%rax\n"                                                              \
		"1:	ret\n")

/*
 * The body of a function that stands in front of one of libc's, with up to three arguments. `choose`
 * gets the arguments, and returns the function that the code jumps to with them.
 */
#define CPU_CHOOSE(choose) CPU_SIGNAL(choose)

/*
 * The code that a signal handler returns to: rt_sigreturn(2). Debuggers recognise this code by its
 * very instructions. Unwinders need the description below: the number of each register, and its
 * offset in the ucontext at the stack pointer. Both look up the byte before this code, because they
 * take its address for a return address.
 */
#define CPU_INTERRUPTED(r, at) "	.cfi_escape 0x10, " #r ", 3, 0x77, " #at " & 127 | 128, " #at " >> 7\n"
#define CPU_SIGNAL_RETURN()                                                                        \
	__asm__("	.cfi_signal_frame\n"                                                      \
		"	.cfi_escape 0x0f, 4, 0x77, 160 & 127 | 128, 160 >> 7, 0x06\n"             \
		CPU_INTERRUPTED(8, 40) CPU_INTERRUPTED(9, 48) CPU_INTERRUPTED(10, 56)              \
		CPU_INTERRUPTED(11, 64) CPU_INTERRUPTED(12, 72) CPU_INTERRUPTED(13, 80)            \
		CPU_INTERRUPTED(14, 88) CPU_INTERRUPTED(15, 96) CPU_INTERRUPTED(5, 104)            \
		CPU_INTERRUPTED(4, 112) CPU_INTERRUPTED(6, 120) CPU_INTERRUPTED(3, 128)            \
		CPU_INTERRUPTED(1, 136) CPU_INTERRUPTED(0, 144) CPU_INTERRUPTED(2, 152)            \
		CPU_INTERRUPTED(7, 160) CPU_INTERRUPTED(16, 168)                                   \
		"	nop\n"                                                                    \
		"	mov $15, %rax\n"                                                          \
		"	syscall\n")
#define CPU_SIGNAL_RETURN_OF(function) ((uintptr_t)(function) + 1)
/* SA_RESTORER: tells the kernel that there is such code. */
#define CPU_SIGNAL_RETURN_FLAG         0x04000000ul

/* clang-format on */

/* Where a signal has interrupted the thread, and its registers rsp and rbp: in the context that the
 * signal's handler gets. */
#define CPU_INTERRUPTED_AT(context) ((uintptr_t)(context)->uc_mcontext.gregs[16])
#define CPU_INTERRUPTED_SP(context) ((uintptr_t)(context)->uc_mcontext.gregs[15])
#define CPU_INTERRUPTED_BP(context) ((uintptr_t)(context)->uc_mcontext.gregs[10])
#define CPU_INTERRUPTED_LINK        CPU_INTERRUPTED_AT

#endif
