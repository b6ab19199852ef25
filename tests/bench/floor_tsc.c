/* SPDX-License-Identifier: MIT */
/* floor_tsc.c - hooks to be preloaded that read the clock and store it: no exact timing can cost
 * less. The store is to the thread's own memory. */
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void __cyg_profile_func_enter(void *function, void *call_site);
EXPORT void __cyg_profile_func_exit(void *function, void *call_site);

/* Named, for the assembly below. */
__thread volatile uint64_t floor_tsc_last __attribute__((visibility("hidden")));

void __cyg_profile_func_enter(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
	floor_tsc_last = __builtin_ia32_rdtsc();
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
	floor_tsc_last = __builtin_ia32_rdtsc();
}

/* The same, leaving every register as it was. */
__asm__(".globl __fentry__, __return__\n"
	".type __fentry__, @function\n"
	".type __return__, @function\n"
	"__fentry__:\n"
	"__return__:\n"
	"	push %rax\n"
	"	push %rdx\n"
	"	rdtsc\n"
	"	shl $32, %rdx\n"
	"	or %rdx, %rax\n"
	"	mov floor_tsc_last@gottpoff(%rip), %rdx\n"
	"	mov %rax, %fs:(%rdx)\n"
	"	pop %rdx\n"
	"	pop %rax\n"
	"	ret\n");
