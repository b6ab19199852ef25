/* SPDX-License-Identifier: MIT */
/*
 * entries.h - zone stacks that only entries tell of: which of the zones on it are still open.
 *
 * Code built with `-pg -mfentry` alone calls a hook as each function begins, and none as it ends.
 * So a zone that has ended stays on the zone stack, *stale*, until something shows that its stack
 * frame is gone. Two calls of main, f() and then h(), as the zone stack shows them:
 *
 *     main          f is entered:  main, f        CFA of f = s
 *       f             g:           main, f, g     CFA of g < s
 *       (g returns, f returns: no hook)           main, f, g     both stale
 *       h           h is entered:  main, h        h's caller is main, so f and g are gone
 *
 * ## The rule
 *
 * At an entry, the stack pointer points to the return address, which lies in the caller. So two
 * things about the caller are known for certain: its stack frame, because the call frame
 * information of that place tells how far above ours the caller's CFA is; and its function. From
 * the top of the zone stack down,
 *
 *   - a zone with a CFA below the caller's has ended;
 *   - a zone with just the caller's CFA is the caller, if it is of the caller's function. Else it
 *     has ended too: it was called from the same place as the caller was, before;
 *   - if the first zone with a higher CFA is reached, the caller is not recorded. It may be a
 *     function of libc that calls back, a function without hooks, one that is left out (only.h), or
 *     the end of a signal handler. Then the same question is asked about the caller's own caller,
 *     by its return address, and so on, until a zone answers.
 *
 * To compare our CFA with those on the zone stack is not enough. A caller may have more on its
 * stack than at its call before (arguments, an alloca, registers that it saves late). The zone that
 * it called before then has a higher CFA than ours, looks open, and would be taken for our caller.
 * That is wrong for up to 2 % of a program's calls, always in the same contexts. Nor is the
 * caller's CFA enough: without the comparison of functions, nearly all calls that code without
 * hooks makes get a wrong caller.
 *
 * ## The usual way
 *
 * What is known of each place that calls is kept in a table (code/call_places.h), so the usual way
 * (track/entry.h) takes a load and two compares to follow the rule. All else comes here.
 *
 * A call from code that is not recorded walks the real stack, by .eh_frame. qsort() makes thousands
 * of such calls from the same place, so a walk is remembered, with each return address and saved rbp
 * that it found and where, and with rbp where a frame was found by that. If all of these are still
 * there, the frames are the same, and the answer too. (Return addresses alone are not enough: a large
 * frame may hold old ones.)
 *
 * ## Signals
 *
 * The frame of a signal handler tells the stack pointer that was interrupted, and that is no CFA: the
 * zone whose CFA it equals has just returned. A handler that interrupts a hook has a track of its own
 * (track.h), and a walk ends at that hook's frame, because zones that an earlier handler left there may
 * have had the same frames as the program has now.
 *
 * ## Lent zones
 *
 * A zone that an interpreter lends (zprof.h) has no frame, and ends by a call. It is open as long as its
 * carrier is, or until it is left, so the rule takes it for its carrier. Functions that report its
 * begin, between the carrier and zprof_lent_enter(), have zones, too, if the interpreter itself is
 * recorded. They would be the carrier, and end at once. So the interpreter names the function that
 * runs the lent one (zprof_lent_runner()), and zones above that are taken off the stack: what they go
 * on to call is charged to the lent zone.
 *
 * ## Where there is no call frame information
 *
 * The walk ends there, and the CFA that was reached last decides alone. ZPROF_ENTRIES_GUESSED
 * counts such calls.
 */
#ifndef ZPROF_ENTRIES_H
#define ZPROF_ENTRIES_H

#include "preload/track/track.h"
#include "preload/unwind/unwind.h"

/*
 * Whether functions of a module that is there as the process begins have entries alone, or will have
 * them, displaced (option `plans`). Then process->entries_alone is set.
 */
bool entries_look_at_all(struct process *p);

/*
 * Asks the module that holds `code`, unless it was asked before. If its functions have entries alone,
 * process->entries_alone is set, and the hooks' instances are chosen anew (hooks/fronts.h). The
 * calling thread runs that code. (Other modules may be half loaded or half unloaded by other
 * threads: what is read of them may be wrong.)
 */
void entries_look(struct process *p, uintptr_t code);

/*
 * The zone that called the function which event `e` enters, in the frame `cfa`; zones above it have
 * ended. Only where process->entries_alone is set.
 */
struct open_zone *entries_caller(struct track *k, const struct event *e, uintptr_t cfa);

/*
 * The innermost open zone, for an event `e` that is no function's beginning: zones above it have
 * ended. Lent zones (track/lent.h) that stand on an open zone, or outside of all, are open until
 * they are left. Only where process->entries_alone is set.
 */
struct open_zone *entries_innermost(struct track *k, const struct event *e);

/*
 * The node of the zone that a signal handler has interrupted: the handler's event is `e`, and the
 * signal came within a hook on the track `below`.
 */
struct zprof_node *entries_interrupted(const struct track *below, const struct event *e);

/*
 * Takes zones that have ended off the zone stack of a level above 0 (track.h). None is left if the
 * handler that they were of has returned.
 */
void entries_settle_level(struct track *k, const struct event *e);

/*
 * The innermost open zone whose frame the code at `at` runs in, or that called it. at->pc is a
 * return address: of an interrupted place, the instruction's address and one. *sure: the zone was
 * found by its frame and its function, or the walk came to the beginning of the stack. Not sure:
 * the walk ended before that, and the zone is the innermost that its last frame does not rule out.
 */
struct open_zone *entries_open_at(const struct track *k, struct place at, bool *sure);

/*
 * Whether the code before `pc` can run in the frame of the open zone `f`, whose CFA is the code's: it
 * is of the zone's function, or of a part of that function.
 */
bool entries_runs_in(const struct track *k, const struct open_zone *f, uintptr_t pc);

#endif
