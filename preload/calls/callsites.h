/* SPDX-License-Identifier: MIT */
/*
 * callsites.h - which line of the caller made each call (callsites=1).
 *
 * The tree (tree.h) knows that main -> render -> draw was called a thousand times. It does not know
 * that 999 of these calls are in line 40 and one in line 52, which is what a reader of the source
 * wants to know. The hooks are told: their second argument is the address that the function returns
 * to. So each context gets a record for each place that it was called from (format.h, struct
 * zprof_call), with calls that are exact:
 *
 *     render: 40: for (...)                     node  draw, below render, below main
 *             41:     draw(i);                  calls 1000
 *             52: draw(last);                     +- site 41: calls 999, total ..., self ...
 *                                                 '- site 52: calls   1, total ..., self ...
 *
 * A place is not part of a context. If it were, two calls in one line (fib(n - 1) + fib(n - 2))
 * would double the contexts at each level of the recursion, and a profile would hold as many nodes
 * as there were calls. As it is, records are bounded by contexts times the places in one function
 * that call one other.
 *
 * Nor can a node's time be told apart by calls: the last call may take longer than the 999 before.
 * So a record adds up what its calls took, by a clock read at their beginning and end. That need
 * not be *the* clock. Where only calls are counted, there is another, which runs by itself: the
 * time that samples and waits have told of this thread so far (zprof_thread.program_ns). It moves a
 * thousand times a second, and reading it is a load:
 *
 *     program_ns   0        0        1 ms            2 ms     3 ms
 *                  | draw --|        | draw -------------------|
 *                    site 41: 0 ms     site 52: 2 ms
 *
 * It is as true as samples are: a call of a nanosecond sees it move once in a million times, and
 * then it moves by a millisecond. The result is used to divide the node's cost among its places;
 * the cost itself is known better (report/annotate/lines.h).
 *
 * The clock when a call began is subtracted from its record, and the clock when it ended is added:
 * so nothing has to be remembered of an open call but that it is open, and a profile is right at
 * any moment. The open calls are a stack of their own beside the zone stack. It is compared with
 * that one at each event, from the top down as long as they differ, which is how it learns of jumps
 * and of switches between stacks. A call whose stack is put aside (a coroutine) ends there, as far
 * as its time goes.
 *
 * A function inlined into another is told its host's return address. There the place of the call is
 * known by the hook's own return address, which lies in the inlined body.
 *
 * Samples know the instruction that they found, so there are records for these, too
 * (ZPROF_CALL_SAMPLED): what a function's own lines took. A sample makes one at most.
 *
 * All of this is in separate instances of the hooks (hooks/front.h): without callsites=1, a hook
 * does not even test for it.
 */
#ifndef ZPROF_CALLSITES_H
#define ZPROF_CALLSITES_H

#include <stdbool.h>
#include <stdint.h>

struct callsites;
struct event;
struct process;
struct track;

/* Of one lineage of threads. NULL: no memory. */
struct callsites *callsites_new(struct process *p, uint32_t thread);

/* The track's top was entered by this event. */
void callsites_entered(struct track *track, const struct event *e);

/* The same of a lent zone, called in a line and column of the interpreted source. */
void callsites_lent(struct track *track, const struct event *e, uint32_t place);

/* Zones have been left, and the track's top is what runs now. */
void callsites_left(struct track *track, const struct event *e);

/*
 * A sample found the thread in the program, at an instruction, in a context: WHOM is its callsites.
 */
void callsites_found(void *whom, struct process *p, uint32_t node, uintptr_t ip, uint64_t ns);

/* A thread has ended: so have its calls. */
void callsites_end(struct track *track);

#endif
