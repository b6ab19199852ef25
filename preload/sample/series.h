/* SPDX-License-Identifier: MIT */
/*
 * series.h - the rings of a thread, one after the other.
 *
 *     first     quick: samples come often, so that a short program has some (sampling.h)
 *     then      at the period that is right for a long run
 *     at last   none: the thread has ended
 *
 * A ring is spent when it is time for another period, or when most of the samples for which it was
 * opened have come. The look that finds this replaces the ring, at the same address. A ring is
 * opened by system calls. So before a program forbids system calls, a ring without end must be
 * opened (notes_outlast()).
 *
 * ## Rings that carry stacks
 *
 * In a program whose functions end without a hook (process->entries_alone), a sample's time belongs
 * to the function that its place lies in, or that called the code there. So samples carry the stack
 * pointer, rbp and the first words of the stack. Such a sample takes up to 4,176 bytes instead of 48,
 * and rings are larger. A user's memory for rings is limited (perf_event_mlock_kb: 516 KB for each
 * processor, and beyond that RLIMIT_MEMLOCK), so only the first threads have the largest:
 *
 *     the first 2 threads at once     256 KB, 62 samples with 4,096 bytes of the stack each
 *     the next 4                       32 KB, 15 samples with 2,048
 *     the next 10                      16 KB, 27 samples with 512
 *     further threads, or no memory     4 KB, 19 samples with 128
 *
 * A program may load its first module without exits later. The next look of each thread then
 * replaces its ring by one that carries stacks. The two pages of the old ring stay mapped, empty,
 * because a signal handler's hook may still read the old head.
 *
 * With inside=stack, rings carry stacks from the beginning in any program (chains.h). Where functions end
 * with a hook, the stack then tells nothing of whose a sample is (notes->alone).
 *
 * How much of the stack is needed: the share of samples in libc that could not be followed to the
 * program's frame (glibc 2.36; loops of one function each), and of all samples of three programs:
 *
 *     bytes                           64    128    256    512   1024   2048   4096
 *     memset, malloc, free, read                     0      0      0      0      0
 *     fprintf with a %f                                  93 %   93 %   57 %      0
 *     sqlite                        11 %    7 %    2 %  0.3 %  0.3 %      0      0
 *     gawk, with such formats                                   17 %    7 %      0
 *     C++, with doubles put out                          13 %   16 %   16 %  0.2 %
 *
 * vfprintf's own frame has 1,400 bytes, with a buffer in it, and printing a %f adds 2,000. The kernel
 * copies 4,096 bytes in 0.3 us, of the 13 us that a sample takes (in a virtual machine).
 */
#ifndef ZPROF_SERIES_H
#define ZPROF_SERIES_H

#include "preload/sample/notes.h"

/* Opens the calling thread's first ring. False: that is not possible. */
bool series_begin(struct notes *n, struct process *p);

/*
 * Replaces the ring; the current node is `node`. If no other ring can be opened, the loss is
 * counted.
 */
void series_go_on(struct notes *n, struct process *p, struct zprof_node *node);

/* Replaces the ring if it is spent and the thread can open another. */
void series_go_on_if_spent(struct notes *n, struct process *p, struct zprof_node *node);

/* Closes the ring. */
void series_end(struct notes *n);

#endif
