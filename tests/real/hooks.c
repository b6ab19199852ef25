/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - hooks that do nothing, preloaded when an instrumented program runs under callgrind.
 *
 * libc has such hooks, but with enter and exit as one function, so callgrind could not tell how
 * often each was called.
 */
void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site)
{
	__asm__ volatile("" : : "r"(function), "r"(call_site));
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	__asm__ volatile("nop" : : "r"(function), "r"(call_site));
}

/* Of the second front end: called with every register in use. */
__asm__(".globl __fentry__, __return__\n"
	".type __fentry__, @function\n"
	".type __return__, @function\n"
	"__fentry__: ret\n"
	".size __fentry__, .-__fentry__\n"
	"__return__: ret\n"
	".size __return__, .-__return__\n");
