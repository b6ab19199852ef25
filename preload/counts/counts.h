/* SPDX-License-Identifier: MIT */
/*
 * counts.h - how often each statement ran.
 *
 * gcc and clang put a call of __sanitizer_cov_trace_pc() at the beginning of each basic block, a
 * run of instructions that is only entered at its top (-fsanitize-coverage=trace-pc). Every
 * statement of a block runs as often as the block does, so no more counters are needed:
 *
 *     if (a)              call; test; je     counter 1
 *             b++;        call; incl         counter 2
 *     c++;                call; incl         counter 3
 *
 * The call has no argument; its return address says where it is. A call is five bytes long, so two
 * return addresses are never closer than that, and (address - beginning of the code) / 4 is a
 * counter of its own for each. So a module has an array of 64-bit counters beside its code, twice
 * as large, in the profile itself (format.h, struct zprof_counts): the counts are in the file when
 * the program is killed. Which of the places are counters, and what they stand for, is found later,
 * from the code and its debug information (symbolize_calls()).
 *
 * Counting takes a dozen instructions (base/cpu/x86_64_entry.h), for the first module. With
 * several threads, the addition is atomic; as long as libc knows of one thread alone
 * (__libc_single_threaded) it need not be, which costs a fifth. Other modules are looked for in a
 * list. A thread made by clone() by hand, of which libc does not know, may lose counts.
 *
 * The addresses of counters lie in memory that the kernel wipes in forked children: a child finds
 * none, and begins a profile of its own before it counts. In a program that is not recorded, the
 * first call notes that, and each later one costs two compares.
 *
 * Rejected: __sanitizer_cov_trace_pc_guard and inline counters, which gcc does not have; a hash of
 * return addresses, in which two can collide.
 */
#ifndef ZPROF_COUNTS_H
#define ZPROF_COUNTS_H

struct process;

/* Before a module is unloaded: other code may run at its addresses afterwards. */
void counts_retire(struct process *p);

#endif
