/* SPDX-License-Identifier: MIT */
/*
 * floor_count.c - hooks to be preloaded that count the calls of all threads: how many pairs a
 * workload makes under each front end, so that times can be given per pair.
 *
 * Calls of gprof's `mcount` count too.
 */
#include <stdint.h>

uint64_t bench_pairs(void);
void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

/* Named, for the assembly below. */
uint64_t floor_count_pairs __attribute__((visibility("hidden")));

uint64_t bench_pairs(void)
{
	return __atomic_load_n(&floor_count_pairs, __ATOMIC_RELAXED);
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
	__atomic_fetch_add(&floor_count_pairs, 1, __ATOMIC_RELAXED);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
}

__asm__(".globl __fentry__, __return__, mcount\n"
	".type __fentry__, @function\n"
	".type __return__, @function\n"
	".type mcount, @function\n"
	"__fentry__:\n"
	"mcount:\n"
	"	lock incq floor_count_pairs(%rip)\n"
	"__return__:\n"
	"	ret\n");
