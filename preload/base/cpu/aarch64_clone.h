/* SPDX-License-Identifier: MIT */
/* aarch64_clone.h - a child process without libc (see x86_64_clone.h). Included by preload/base/cpu.h. */
#ifndef ZPROF_CPU_AARCH64_CLONE_H
#define ZPROF_CPU_AARCH64_CLONE_H

#include <sys/syscall.h>

CPU long cpu_clone(long flags, void *stack_top, int (*run)(void *), void *argument)
{
	register long x8 __asm__("x8") = SYS_clone;
	register long x0 __asm__("x0") = flags;
	register void *x1 __asm__("x1") = stack_top;
	register long x2 __asm__("x2") = 0;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;
	register void *x9 __asm__("x9") = argument;
	register int (*x10)(void *) __asm__("x10") = run;

	__asm__ volatile("svc #0\n"
			 "	cbnz x0, 1f\n"
			 "	mov x29, xzr\n"
			 "	mov x0, x9\n"
			 "	blr x10\n"
			 "	mov x8, %[exit]\n"
			 "	svc #0\n"
			 "1:\n"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x9),
			   "r"(x10), [exit] "i"(SYS_exit)
			 : "memory");
	return x0;
}

#endif
