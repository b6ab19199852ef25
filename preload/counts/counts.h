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
 * return addresses are at least five bytes apart. So (address - beginning of the code) / 4 is a
 * different counter for each. A module's counters are an array of 64-bit words, twice as large as
 * its code, in the profile itself (format.h, struct zprof_counts): the counts are in the file when
 * the program is killed. Which words belong to calls, and to which statements, is found later, from
 * the code and its debug information (symbolize_calls()).
 *
 * For the first module, counting takes a dozen instructions (base/cpu/x86_64_entry.h); other
 * modules are looked up in a list. With several threads the addition is atomic. As long as libc
 * knows of one thread only (__libc_single_threaded) it is not, and takes a fifth of the time. A
 * thread made by a direct call of clone(), which libc does not know, may lose counts.
 *
 * The addresses of the counters lie in memory that the kernel wipes in forked children: a child
 * finds zeros, and begins a profile of its own before it counts. In a program that is not recorded,
 * the first call finds that out, and each later call costs two compares.
 *
 * Rejected: __sanitizer_cov_trace_pc_guard and inline counters, which gcc does not have; a hash of
 * return addresses, in which two can collide.
 */
#ifndef ZPROF_COUNTS_H
#define ZPROF_COUNTS_H

struct process;

/*
 * Called around dlclose(). Forgets the code of modules that are, or may be, unloaded, because other
 * code may be loaded at their addresses.
 */
void counts_retire(struct process *p);

#endif
