/* SPDX-License-Identifier: MIT */
/*
 * work.h - what every workload of the benchmark offers, and how it is measured.
 *
 * A workload is a function that makes about `pairs` calls, mostly of functions that do nothing: so
 * nearly all the time is what a profiler adds. work_main.c calls it slice after slice and times
 * each. The same sources are built with every front end and without any; APART keeps calls from
 * being inlined in all of them.
 */
#ifndef WORK_H
#define WORK_H

#define APART  __attribute__((noinline))
#define UNSEEN __attribute__((no_instrument_function))

/* Hides a value from the compiler, so that nothing is computed beforehand, left out or made a loop. */
#define UNKNOWN(x) __asm__ volatile("" : "+r"(x))

#ifdef __cplusplus
extern "C" {
#endif

/* One slice. May be called by several threads at once, unless it says otherwise. */
void work(unsigned long pairs);

#ifdef __cplusplus
}
#endif

#endif
