/* SPDX-License-Identifier: MIT */
/*
 * entry_price.h - what the hook of an entry alone costs, measured in this process (calibrate.h does so
 * for pairs of hooks).
 *
 *     caller .. call function | call hook .. [ the hook ] .. ret | body .. ret | .. caller
 *                             |<--------- the price ------------>|
 *
 * The price has a part outside of the library: the instructions in the function, or in its trampoline,
 * that call the hook. A sample there finds the program. So this part is measured, too, with a hook
 * that returns at once.
 *
 * This is the price around nothing. A function that does something may pay less, because a processor
 * runs it while the hook is under way. Chains of multiplications were tried in its place, as for pairs:
 * they paid between 0.6 and 1.3 of the price, and next to nothing where they ended in a branch that the
 * processor did not foresee. report/core/times/estimate.h has what is done about that.
 *
 * The hook that is measured is the one of the program's functions, instruction by instruction, on a
 * track of its own: the one that compilers call, or where functions are displaced (option `plans`) the
 * one that trampolines call.
 */
#ifndef ZPROF_ENTRY_PRICE_H
#define ZPROF_ENTRY_PRICE_H

struct process;

/*
 * Stores the price in p->cost and in the profile's header; nothing where it cannot be measured, and
 * under the fake clock. To be called as the process begins to record: later the program may have
 * forbidden itself to read the processor's counter.
 */
void entry_price_measure(struct process *p);

#endif
