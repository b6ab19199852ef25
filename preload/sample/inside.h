/* SPDX-License-Identifier: MIT */
/*
 * inside.h - where inside its function, and below it, a thread was: for each node, how many samples
 * found the thread at which address of the code, and for how much CPU time they stand.
 *
 * Hooks tell where a function begins and ends. They tell nothing of the code in between, nor of the
 * functions without hooks that it calls. A sample knows the instruction. So a report can divide the
 * self time of a zone, which stays what it is, among libraries and lines:
 *
 *     pack  calls 1, self 100 ms            node pack, 100 samples
 *       +- deflate_slow (sampled)  60 ms      +- 0x7f..41a0  22 samples   in deflate_slow
 *       +- longest_match (sampled) 30 ms      +- 0x7f..4188  38 samples   in deflate_slow
 *       '- pack itself             10 ms      +- 0x7f..3c10  30 samples   in longest_match
 *                                             '- 0x55..11d0  10 samples   in pack, line 41
 *
 * ## Bounded memory
 *
 * There may be as many pairs of node and address as samples. A thread (a lineage) keeps INSIDE_MOST
 * of them at most, in a table of INSIDE_GROUPS groups of INSIDE_WAYS. A pair has its place in one
 * group, by a hash:
 *
 *     slots   | group 0: r r - - - - - - | group 1: r r r r r r r r | ...     8 ways each
 *                                                           ^
 *             a new pair of a full group takes the record that has been seen least
 *
 * The samples of the record that gave way are counted as a loss (ZPROF_LOSS_INSIDE). They stay in the
 * node's own record (struct zprof_samples). No sum changes: a report shows their time as the node's
 * self, in no function and on no line. A record that is seen often stays, and those are the ones
 * that readers look for.
 *
 * A sample in the kernel has two addresses: the kernel's, and the program's, where the program goes
 * on. It is in two tables, each with a record of its own: one table of pairs of both would be full
 * sooner, since a program makes the same page faults in many places. The kernel's table is filled
 * only where the kernel's notes tell of samples there. Its losses are ZPROF_LOSS_KERNEL, and a report
 * shows their time as the kernel's, in no function.
 *
 * Slots are private, and are there after the thread's first sample, or its first in the kernel.
 * Records are in the profile, and the file grows with those that are used: 32 bytes each, 128 KiB for
 * each table of a thread at most, beside 16 KiB of slots.
 *
 * A record that gives way is cleared by its node's reference first, and is complete again when the
 * new reference is stored. So a reader never takes one pair's samples for another's. If a jump
 * abandons a look in between, the record stays empty, and its group takes it again.
 *
 * Invariant, for each node, of the samples that this file has seen:
 *
 *     sum of ns over its records <= user_ns + kernel_ns of its struct zprof_samples
 *     sum of ns over its records in the kernel's table <= kernel_ns of its struct zprof_samples
 *
 * ## Rejected
 *
 *   - One table for all threads would need a lock or an atomic exchange for each sample.
 *   - A hash that grows without bound takes memory by the length of the run.
 *   - A new pair that begins with the count of the one that gave way (Metwally's Space-Saving) bounds
 *     the error of each count, but makes counts that no sample stands for: sums would not be exact.
 */
#ifndef ZPROF_INSIDE_H
#define ZPROF_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

struct process;
struct ring_note;
struct zprof_section;

#define INSIDE_WAYS   8u
#define INSIDE_GROUPS 512u
#define INSIDE_MOST   (INSIDE_GROUPS * INSIDE_WAYS)

struct inside_table {
	uint32_t *slots;               /* offsets of records / 32; NULL: no sample yet */
	struct zprof_section *section; /* with the records; NULL: none yet */
};

struct inside {
	bool wanted;                         /* inside=1 */
	uint32_t searches;                   /* addresses that were found to be in no module */
	struct inside_table program, kernel; /* by the program's address; by the kernel's */
};

/*
 * Adds a sample of `ns` nanoseconds of CPU time to the records of its addresses and of `node`, a
 * reference. `thread`: the id of the thread's record.
 */
void inside_found(struct inside *in, struct process *p, uint32_t thread, uint32_t node,
		  const struct ring_note *note, uint64_t ns);

#endif
