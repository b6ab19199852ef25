/* SPDX-License-Identifier: MIT */
/*
 * chains.h - through which functions without hooks a sample lies below its zone (inside=stack).
 *
 * A sample's address (inside.h) tells which function ran, and not who called it. Where a sample
 * carries the top words of its stack (series.h), the frames between that function and the zone can be
 * followed, so a report shows each function below its caller:
 *
 *     inside=1                              inside=stack
 *
 *     pack                                  pack
 *       +- longest_match (sampled) 60 ms      '- compress2 (sampled)         100 ms    own  0 ms
 *       '- deflate_fast (sampled)  40 ms         '- deflate (sampled)        100 ms    own  0 ms
 *                                                   '- deflate_fast (sampled) 100 ms   own 40 ms
 *                                                      '- longest_match (sampled)      own 60 ms
 *
 * ## Where the work is done
 *
 *     the kernel    copies the stack as it takes the sample: nothing can be read of it later
 *     the look      walks the copy by call frame information (unwind/chain.h), while the modules of
 *                   that moment are still there, and adds the sample to the record of its chain
 *     the report    names the functions, and divides each row `(sampled)` that it has without chains
 *                   among the chains that end in it (report/core/load/below.h)
 *
 * So no stack is kept, and the file has one record for each node and chain. A step of a chain is the
 * beginning of a function, not the place of a call: a report shows functions, and many places of one
 * function would make many chains of one. A function that calls itself is one step for the same
 * reason: a recursive sort would have a chain for each depth.
 *
 * The walk must end at the frame of the zone itself. That is known: hooks keep the CFA of each open
 * zone, so a walk that does not come by it proves nothing, and its sample gets no chain. Such a
 * sample is counted (ZPROF_LOSS_CHAINS_CUT) and stays where it is without chains: in the row of its
 * own function, directly below the zone. Reasons are code without call frame information, a frame
 * beyond the copied words, and a sample on another stack than the zone's. A sample in the zone's own
 * function needs no chain, and has none; nor has one outside of all zones.
 *
 * ## Bounded memory
 *
 * As in inside.h: a thread (a lineage) keeps CHAINS_MOST records at most, in groups of CHAINS_WAYS; a
 * new chain takes the record of its group that has been seen least, and the samples of the record
 * that gave way are counted (ZPROF_LOSS_CHAINS). They are still in the tables of inside.h, so no sum
 * changes, and they show as those without a chain do. A chain has ZPROF_CHAIN_STEPS steps at most. Of
 * a longer one, steps in the middle are left out, and the sample is counted (ZPROF_LOSS_CHAINS_DEEP):
 * each row above it is still one of its callers.
 *
 * Records are 264 bytes each, so the file grows by 264 KiB for a thread at most, beside 4 KiB of
 * slots.
 *
 * Invariant, for each node, of the samples that this file has seen:
 *
 *     sum of ns over its chains <= user_ns + kernel_ns of its struct zprof_samples
 *
 * ## Rejected
 *
 *   - A tree of steps, in which chains share their beginnings, takes less memory, but no single chain
 *     in it can give way to another.
 *   - Return addresses in place of functions: each place from which one function calls another makes
 *     a chain of its own, and lines of callers without hooks are shown nowhere.
 *   - Chains by frame pointers (rbp), where there is no call frame information: much code is built
 *     without them (Debian's libraries are), and a walk cannot tell which code is.
 */
#ifndef ZPROF_CHAINS_H
#define ZPROF_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

struct process;
struct ring_note;
struct zprof_chain;
struct zprof_node;
struct zprof_section;

#define CHAINS_WAYS   8u
#define CHAINS_GROUPS 128u
#define CHAINS_MOST   (CHAINS_GROUPS * CHAINS_WAYS)

/* How a walk ended. */
enum chain_walk {
	CHAIN_CUT,   /* it did not come to the zone's frame */
	CHAIN_WHOLE, /* at the zone's frame */
	CHAIN_DEEP,  /* so, too, and steps in the middle are left out */
};

struct chains {
	/*
	 * Adds the functions between a sample's place and the frame of the zone of `node`, the zone
	 * not included, to the steps of a chain. NULL: chains are not wanted.
	 */
	enum chain_walk (*walk)(const struct zprof_node *node, const struct ring_note *note,
				struct zprof_chain *chain);
	uint32_t searches;             /* of walks: code that was found to be in no module */
	uint32_t *slots;               /* offsets of records / 8; NULL: no chain yet */
	struct zprof_section *section; /* with the records; NULL: none yet */
};

/* Adds a step to a chain. False: a step in the middle was left out for it. */
bool chains_step(struct zprof_chain *chain, uint32_t module, uint64_t address);

/*
 * Adds a sample of `ns` nanoseconds of CPU time to the record of its chain and of `node`. `thread`:
 * the id of the thread's record. `sure`: the sample is the node's for certain. To be called by a
 * look of the thread, at level 0.
 */
void chains_found(struct chains *c, struct process *p, uint32_t thread,
		  const struct zprof_node *node, const struct ring_note *note, uint64_t ns,
		  bool sure);

#endif
