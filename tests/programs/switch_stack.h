/* SPDX-License-Identifier: MIT */
/*
 * switch_stack.h - a switch between stacks that cannot be interposed: it saves what a callee must keep, and
 * changes the stack pointer. For one source file of a program.
 */
#ifndef TESTS_SWITCH_STACK_H
#define TESTS_SWITCH_STACK_H

#include <stddef.h>
#include <string.h>

void switch_stack(void **save, void *to);

#ifdef __x86_64__
#define SWITCH_STACK_WORDS 8 /* what is saved, the entry, and the entry's return address */
#define SWITCH_STACK_ENTRY 6
__asm__(".globl switch_stack\n"
	".type switch_stack, @function\n"
	"switch_stack:\n"
	"	.cfi_startproc\n"
	"	pushq %rbx\n"
	"	pushq %rbp\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbp\n"
	"	popq %rbx\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size switch_stack, . - switch_stack\n");
#else
#define SWITCH_STACK_WORDS 20
#define SWITCH_STACK_ENTRY 1 /* x30 */
__asm__(".globl switch_stack\n"
	".type switch_stack, %function\n"
	"switch_stack:\n"
	"	.cfi_startproc\n"
	"	stp x29, x30, [sp, #-160]!\n"
	"	stp x19, x20, [sp, #16]\n"
	"	stp x21, x22, [sp, #32]\n"
	"	stp x23, x24, [sp, #48]\n"
	"	stp x25, x26, [sp, #64]\n"
	"	stp x27, x28, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #16]\n"
	"	ldp x21, x22, [sp, #32]\n"
	"	ldp x23, x24, [sp, #48]\n"
	"	ldp x25, x26, [sp, #64]\n"
	"	ldp x27, x28, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	ldp x29, x30, [sp], #160\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size switch_stack, . - switch_stack\n");
#endif

/* What to switch to, so that `entry`, which never returns, begins on a new stack that ends at `end`. */
static inline __attribute__((no_instrument_function)) void *switch_stack_new(void *end,
									     void (*entry)(void))
{
	void **top = (void **)end - SWITCH_STACK_WORDS;
	memset(top, 0, SWITCH_STACK_WORDS * sizeof *top);
	top[SWITCH_STACK_ENTRY] = (void *)entry;
	return top;
}

#endif
