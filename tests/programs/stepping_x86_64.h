/* SPDX-License-Identifier: MIT */
/* stepping_x86_64.h - see stepping.h. The processor's trap flag makes it raise SIGTRAP. */
#ifndef TESTS_STEPPING_X86_64_H
#define TESTS_STEPPING_X86_64_H

#include <signal.h>

#define STEPPING_TRAP_FLAG 0x100

UNSEEN static inline greg_t *stepping_registers(const void *context)
{
	return ((ucontext_t *)context)->uc_mcontext.gregs;
}

UNSEEN static inline uintptr_t next_instruction(const void *context)
{
	return (uintptr_t)stepping_registers(context)[REG_RIP];
}

UNSEEN static inline void step_on(void *context)
{
	stepping_registers(context)[REG_EFL] |= STEPPING_TRAP_FLAG;
}

UNSEEN static inline void step_no_on(void *context)
{
	stepping_registers(context)[REG_EFL] &= ~STEPPING_TRAP_FLAG;
}

UNSEEN static inline int handle_steps(const struct sigaction *action)
{
	return sigaction(SIGTRAP, action, NULL);
}

UNSEEN static inline void step(void)
{
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" : : : "cc", "memory");
}

UNSEEN static inline void run(void)
{
	__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" : : : "cc", "memory");
}

/* ---- system calls */

#define CALL_FIRST(context)  stepping_registers(context)[REG_RDI]
#define CALL_SECOND(context) stepping_registers(context)[REG_RSI]
#define CALL_THIRD(context)  stepping_registers(context)[REG_RDX]
#define CALL_RESULT(context) stepping_registers(context)[REG_RAX]

/* Not through libc: the library would see that, and ask the kernel for nothing any more. */
UNSEEN static inline long raw_call(long number, long a, long b, const void *c)
{
	register long fourth __asm__("r10") = 0;
	long result = number;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(a), "S"(b), "d"(c), "r"(fourth)
			 : "rcx", "r11", "r8", "r9", "memory");
	return result;
}

#endif
