/* SPDX-License-Identifier: MIT */
/* x86_64_clone.h - a child process without libc. Included by preload/base/cpu.h. */
#ifndef ZPROF_CPU_X86_64_CLONE_H
#define ZPROF_CPU_X86_64_CLONE_H

#include <sys/syscall.h>

/*
 * clone(2), with flags by which the child shares our memory. The child runs on a stack of its own,
 * of which stack_top is the upper end, and has nowhere to return to: the child calls `run` and
 * exits with the result. Returns the child's process number, or -errno.
 */
CPU long cpu_clone(long flags, void *stack_top, int (*run)(void *), void *argument)
{
	long pid;
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = 0;
	register void *r12 __asm__("r12") = argument;
	register int (*r13)(void *) __asm__("r13") = run;

	__asm__ volatile("syscall\n"
			 "	test %%rax, %%rax\n"
			 "	jnz 1f\n"
			 "	xor %%ebp, %%ebp\n"
			 "	mov %%r12, %%rdi\n"
			 "	call *%%r13\n"
			 "	mov %%eax, %%edi\n"
			 "	mov %[exit], %%eax\n"
			 "	syscall\n"
			 "1:\n"
			 : "=a"(pid)
			 : "a"((long)SYS_clone), "D"(flags), "S"(stack_top), "d"(0L), "r"(r10),
			   "r"(r8), "r"(r12), "r"(r13), [exit] "i"(SYS_exit)
			 : "rcx", "r11", "memory");
	return pid;
}

#endif
