/* SPDX-License-Identifier: MIT */
/*
 * happened.h - how often things happened to the program, by node (events=): page faults, context
 * switches, migrations to another processor, and what the processor counts. A report shows these
 * numbers as measures beside calls and time, like the counters of an interpreter (format.h, struct
 * zprof_extra).
 *
 * ## Why not a counter that is read at samples
 *
 * A group of the kernel's counters, read at each sample of CPU time, charges events to whoever runs
 * long. It was tried: A touched 20,000 new pages, B computed; A got 0 faults, B 19,381. So each fault,
 * each switch, and each millionth instruction has a note of its own in the thread's ring (ring.h), and
 * is charged by the rule of samples: to the node that is current as the next hook looks, since between
 * two hooks of a thread the node does not change (notes.h).
 *
 *     enter A                                      exit A      enter B              exit B
 *     |--------------- A --------------------------|           |------- B -----------|
 *        fault fault fault fault, ring full ....                          sample
 *                                         looks: all of them A's          looks: no fault for B
 *
 * Hooks compare one number with the ring's head, and no more: a fault's note moves the same head
 * as a sample's.
 *
 * ## What is counted
 *
 *   page-faults       by an event of the kernel that writes a note for each fault into the thread's
 *                     ring. Each note has the fault's number, so that no fault is missed when the ring
 *                     is full: the next note tells how many there were, and they belong to the node
 *                     whose look found the ring full. That look causes a fault of its own, so that the
 *                     next note comes at once; it reads the note's number, and leaves the note. A
 *                     fault of the library itself (the first touch of a page of the profile) is the
 *                     zone `[zprof]`'s.
 *   context-switches  the notes of absences, which are there for the times of waits (away.h); with
 *                     those that the kernel counted while the ring was full.
 *   migrations        two notes in a row from different processors. A thread that the kernel moves
 *                     twice before it runs has migrated once here.
 *
 *   instructions      by events of the processor's counters, each of which writes a note once in a
 *   cache-misses      period of its own (processor.h). A note adds the period to its node's number,
 *   branch-misses     so that a number is an estimate, whose error is the square root of the number
 *                     of notes, times the period. Each note has the count, so that the next one tells
 *                     how many found no room. They belong to the node whose look found the ring full.
 *
 * Nothing can be done about the time of the next note of the processor: it may come in another
 * stretch, or never. So a look that finds the ring full, and the last look of a thread, run a loop of
 * instructions, misses and branches that go by chance until the note comes (processor_provoke()).
 * After a full ring this is done at most in a fiftieth of the time, like samples; if the ring is full
 * again before a note has come, in another node, the missing notes are a loss. What is left of a
 * period as a ring ends is in no number.
 *
 * If the program may not look into the kernel (ZPROF_SAMPLER_USER), what happens in system calls, as
 * the faults of a read() into new memory, has no note and is not counted.
 *
 * Invariant of each event, from its first note of a ring to its latest: `number` is the number of
 * that note, in periods, and as many have been charged to a node, passed over in a pause, or counted
 * as a loss.
 */
#ifndef ZPROF_HAPPENED_H
#define ZPROF_HAPPENED_H

#include "preload/sample/notes.h"

/*
 * Finds out which of the events that the user asked for can be counted in this process, and gives
 * them names in the profile. To be called when it is known who takes the samples. What cannot be
 * counted gets a line at the head of reports.
 */
void happened_begin(struct process *p);

/* Makes the counts of a lineage of threads. NULL: no events are wanted, or no memory. */
struct happened *happened_new(struct process *p, struct zprof_node *own);

/* To be called as the calling thread's notes begin. */
void happened_begin_thread(struct notes *n);

/* Says what the thread's rings are to note. To be called before a ring is opened. */
void happened_prepare(struct notes *n);

/* To be called as a ring begins, whose events are counted from 0. */
void happened_begin_ring(struct notes *n, struct process *p);

/* A note of an event beside has come, in a look at `node`; NULL: nothing is charged. */
void happened_event(struct notes *n, struct process *p, struct zprof_node *node,
		    const struct ring_note *note);

/* A note says that the kernel stops an event beside for a while. */
void happened_stopped(struct process *p);

/* A node (a reference) was away from the processor so often more. */
void happened_switches(struct notes *n, struct process *p, uint32_t node, uint64_t times);

/* A note from a processor has come that is charged to `node`; NULL: nothing is charged. */
void happened_on(struct notes *n, struct process *p, struct zprof_node *node, uint32_t cpu);

/*
 * A look at `node` has found the ring full, and has read it: events may have found no room. They are
 * charged to `node` now, or as soon as a note tells how many they are. NULL: to no node.
 */
void happened_in_full_ring(struct notes *n, struct process *p, struct zprof_node *node);

/* Whether faults found no room, and no note has told yet how many. */
bool happened_is_waiting(const struct notes *n);

void happened_end_look(struct notes *n);

/*
 * To be called before a ring ends, or a long time without hooks begins: events that no note has
 * told of are a loss.
 */
void happened_end_ring(struct notes *n, struct process *p);

#endif
