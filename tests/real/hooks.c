/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - hooks that do nothing, preloaded when an instrumented program runs under callgrind.
 *
 * libc has such hooks, but there enter and exit are one function, so that callgrind could not tell
 * how often each was called.
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
