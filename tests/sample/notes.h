/* SPDX-License-Identifier: MIT */
/*
 * notes.h - the reader of the kernel's notes (preload/sample/notes.h) and a kernel that is made up:
 * what is charged to whom, to the nanosecond.
 *
 * A row of the tables (notes_rows_*.c) is a story of one thread, in words, and what must be charged
 * at its end. It can be read aloud:
 *
 *     {"a sample is of the zone that is open at the next hook",
 *      "kernel 1ms",
 *      "runs 1ms, sample, f looks, runs 1ms, sample, g looks",
 *      "f user 1ms/1, g user 1ms/1"},
 *
 *     who takes samples, and how often;  the story;  each zone's time, and how many samples
 *
 * The library is the real one. Only the kernel is replaced, at functions that the library calls
 * anyway (the linker's --wrap): the clocks, the counters, the mapping of a ring. The ring itself is
 * memory, into which notes_kernel.c writes the bytes that the kernel writes (perf_event_open(2),
 * "MMAP layout").
 *
 * ## The setting
 *
 *     kernel T, user T, timer T   what takes the samples (enum zprof_sampler), each T of CPU time
 *     quick T                     at first: each T
 *     exact                       a clock is read, too
 *     offcpu                      what is waited for is recorded
 *     switches                    the kernel tells where the thread was as it left the processor
 *     entries                     functions end without a hook: samples carry stacks
 *     chains                      samples carry stacks in any program (inside=stack)
 *     nested                      root has called f, f has called g, and g has called h
 *     alive                       the end of the story also says until when the process was seen
 *     later                       sampling begins with the word `begins`, else before the story
 *
 * ## What happens to the thread
 *
 *     runs T                      it has the processor for so long
 *     host T                      ... but a machine around this one has really got it
 *     samples N                   N times: it runs for a period, and a sample is noted
 *     sample, sample hook         a sample: in the program; in the library; in the program's stub
 *     sample stub, sample kernel  of a hook; in the kernel. With a timer: its handler runs
 *     in f, in nowhere            from here on, the stacks of samples lead to f; cannot be read
 *     entries                     a module whose functions end without a hook has been loaded
 *     leaves, loses               it leaves the processor, to wait, or because another is given it
 *     away T, queued T            ... for so long; ready to run, as one that lost it
 *     returns                     it has the processor again
 *     waits T, preempted T        the three in a row
 *     waits T hook                the same in a hook; call N: in system call N (offcpu)
 *     forbidden                   it may make no system calls from here on
 *     masked, unmasked            the timer's signal is blocked, or not
 *     refused ERROR N             the next N rings are refused with this error
 *     refused stacks              each ring whose samples carry stacks is refused
 *     stray N                     the kernel writes a note of another kind, of N bytes
 *     torn N                      ... a sample of which only N bytes are there
 *     size N                      ... a sample that says that it has N bytes
 *     moved N                     a thread that shares our memory has read N bytes more
 *     forks                       from here on it is the child's first thread
 *
 * ## What the library does
 *
 *     f looks                     a hook in zone f (g, h, root, own) reads the clock, and looks
 *     f called                    the next look is that of a function that f has called
 *     f reads ... f looks         the clock was read earlier than the look
 *     handler f looks             a hook of a signal handler's
 *     jumps                       a handler jumps out of what is going on
 *     pause looks                 a hook finds that recording is paused
 *     paused, resumed             recording is paused, goes on
 *     split f                     notes from before now are f's (notes_split)
 *     f asks                      others' time until now is f's (away_charge_queued)
 *     own works T                 the library works for so long, which is [zprof]'s (charge_own)
 *     rests, f outlasts           the process ends; system calls will be forbidden
 *     f ends, root ends           the thread has ended, in f; in no zone
 *     full                        from here on there is no room in the file
 *     recorded NAME               the notes of a real ring (notes_recorded.h)
 *
 *     during POINT N: WORDS       the next look meets this as it does something for the Nth time:
 *                                 `read` notes (each is read twice: its head, and all of it);
 *                                 `ticks`, `clock`, `cpu`: reads a clock; asks for `switches` or
 *                                 the `queue` that the kernel counts; `open`s a ring
 *
 * ## What was charged
 *
 *     f user T/N kernel T/N hook T/N waited T/N preempted T/N
 *       unsure T/N                of f's user and kernel time, so much may be a caller's
 *       callees T                 of the time of functions that f called, so much may be f's
 *       ticks T, g ..., then
 *     unseen T                    CPU time of samples that did not come
 *     lost KIND N                 a loss that is counted: samples, waits, samplers, waited
 *     f call N T/N                (offcpu) waits in system call N; `hook`, `outside`
 *     alive T                     (alive) when the process was seen last, since the story began
 *     rings N                     so many were opened one after the other, if not one
 *
 * A row also fails if the thread's sums are not those of its zones, or its CPU time is not, to the
 * nanosecond, what was charged and what is left for the next sample (notes.h).
 */
#ifndef ZPROF_TEST_NOTES_H
#define ZPROF_TEST_NOTES_H

#include <stdbool.h>
#include <stddef.h>

struct row {
	const char *name, *setting, *story, *charged;
};

struct rows {
	const struct row *row;
	size_t count;
};

#define ROWS(rows)                                                                                 \
	{                                                                                          \
		rows, sizeof(rows) / sizeof(*(rows))                                               \
	}

extern const struct rows notes_rows_samples, notes_rows_gaps, notes_rows_absences, notes_rows_met,
    notes_rows_rings, notes_rows_timer, notes_rows_ends, notes_rows_recorded, notes_rows_places;

/* Plays a row's story, and compares. False: *why says what differs, as text until the next call. */
bool notes_play(const struct row *row, const char **why);

#endif
