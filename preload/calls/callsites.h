/* SPDX-License-Identifier: MIT */
/*
 * callsites.h - which line of the caller made each call (callsites=1).
 *
 * The tree (tree.h) knows that main -> render -> draw was called a thousand times. It does not know
 * that 999 of these calls are in line 41 and one in line 52, which a reader of the source wants to
 * know. The hooks can find out: their second argument is the address that the function returns to.
 * So each context gets a record for each place that it was called from (format.h, struct
 * zprof_call), with exact counts:
 *
 *     render: 40: for (...)                     node  draw, below render, below main
 *             41:     draw(i);                  calls 1000
 *             52: draw(last);                     +- site 41: calls 999, total ..., self ...
 *                                                 '- site 52: calls   1, total ..., self ...
 *
 * A place is not part of a context. If it were, two calls in one line (fib(n - 1) + fib(n - 2))
 * would double the contexts at each level of the recursion, and a profile would hold as many nodes
 * as there were calls. With records beside the node, there are at most contexts times the places
 * where one function calls another one.
 *
 * Nor may a node's time be divided in proportion to calls: the last call may take longer than the
 * 999 before. So a record adds up the time of its calls, by a clock that is read at their beginning
 * and end. Where only calls are counted (mode `count`), the clock that ticks come from is not read.
 * There `program_ns` of struct zprof_thread serves as the clock: the time of the thread's samples
 * and waits so far. It moves a thousand times a second, and reading it is one load:
 *
 *     program_ns   0        0        1 ms            2 ms     3 ms
 *                  | draw --|        | draw -------------------|
 *                    site 41: 0 ms     site 52: 2 ms
 *
 * This clock is as accurate as samples are: a call of a nanosecond sees it move once in a million
 * calls, and then by a millisecond. The sums are used only to divide a node's time among its
 * places; the node's time itself comes from better sources (report/annotate/lines.h).
 *
 * The clock when a call began is subtracted from its record, and the clock when it ended is added.
 * So an open call needs no start time of its own, and a profile is right at any moment. The open
 * calls form a stack of their own beside the zone stack. At each event the two stacks are compared
 * from the top down, and the open calls that differ are ended: so jumps and switches of stacks are
 * noticed. If a call's stack is put aside (a coroutine), the call's time ends there.
 *
 * The hooks of an inlined function get its host's return address as the call's. There the place of
 * the call is the hook's own return address, which lies in the inlined body.
 *
 * A sample knows the instruction that was running, which gives the time of a function's own lines:
 * sample/inside.h keeps it. With inside=0, records for such instructions (ZPROF_CALL_SAMPLED) are
 * kept here. A sample makes one record at most.
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

/* The records and open calls of one lineage; `thread`: its record's id. NULL: no memory. */
struct callsites *callsites_new(struct process *p, uint32_t thread);

/* Begins the call by which this event entered the zone on top. */
void callsites_entered(struct track *track, const struct event *e);

/* As callsites_entered(), for a lent zone; `place`: line and column in the interpreted source. */
void callsites_lent(struct track *track, const struct event *e, uint32_t place);

/* Ends the calls of zones that have been left; the zone on top runs from now on. */
void callsites_left(struct track *track, const struct event *e);

/*
 * Adds a sample of `ns` nanoseconds to the record of an instruction of the program and a context.
 * `whom`: the thread's struct callsites.
 */
void callsites_found(void *whom, struct process *p, uint32_t node, uintptr_t ip, uint64_t ns);

/* Ends all open calls of a thread that has ended. */
void callsites_end(struct track *track);

#endif
