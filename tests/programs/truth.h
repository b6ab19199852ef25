/* SPDX-License-Identifier: MIT */
/*
 * truth.h - how a test program counts its own calls, so that a profile can be compared with the
 * truth.
 *
 * A call is counted in the caller, just before it is made, by code that is not instrumented. What
 * was counted is written at the end of the process, one line per arc, fields separated by tabs (a
 * C++ name holds spaces):
 *
 *     calls  CALLER  CALLEE  N  [MAX]     CALLER "-": outermost in its thread. Arcs to CALLEE not
 *                                         listed must not exist.
 *     total  NAME  N  [MAX]               calls of NAME, by any caller
 *     may  [CALLER]  NAME                 may or may not appear, with any count
 *
 * With MAX the count may be anything from N to MAX: when a program is killed, the last event is in
 * doubt. A function in the profile that no line has is an error: the truth is complete.
 * tests/tools/check_counts.c compares.
 *
 * Written to standard output, or, if $TRUTH names a folder, to truth.PID in it (.2, .3 after an
 * exec), like profiles. Must never call anything instrumented, allocate, or use stdio.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <stddef.h>
#include <sys/types.h>

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline))

#ifdef __cplusplus
extern "C" {
#endif

/* Counters of one call site, or of one function (then caller is NULL). Listed at its first use,
 * never removed. */
struct truth_arc {
	const char *caller, *callee;
	unsigned long calls;
	int listed;
	struct truth_arc *next;
};

void truth_list(struct truth_arc *arc);

/* For counts known without counting; if in doubt, from `min` to `max`. caller NULL: a total. Names
 * are not copied. */
void truth_add(const char *caller, const char *callee, unsigned long min, unsigned long max);
void truth_may(const char *caller, const char *callee); /* caller NULL: any */

/* A fork's child: forget what the parent counted. */
void truth_reset(void);

/* Called automatically at exit; to be called before _exit and exec. Only the first in a process
 * counts. */
void truth_print(void);

/* Writes the lines as those of another process: one that was killed, and counted in shared memory. */
void truth_print_as(pid_t pid);

UNSEEN static inline void truth_count(struct truth_arc *arc)
{
	if (!__atomic_load_n(&arc->listed, __ATOMIC_RELAXED))
		truth_list(arc);
	__atomic_fetch_add(&arc->calls, 1, __ATOMIC_RELAXED);
}

#ifdef __cplusplus
}
#endif

#define TRUTH_COUNT(caller_name, callee_name)                                                      \
	__extension__({                                                                            \
		static struct truth_arc truth_arc_ = {caller_name, callee_name, 0, 0, NULL};       \
		truth_count(&truth_arc_);                                                          \
	})

/* Calls the function, and counts the arc from the function this stands in. */
#define CALL(function, ...)                                                                        \
	__extension__({                                                                            \
		TRUTH_COUNT(__func__, #function);                                                  \
		function(__VA_ARGS__);                                                             \
	})

/* The same for calls whose text does not begin with the name: pointers, methods. */
#define CALL_AS(caller_name, callee_name, call)                                                    \
	__extension__({                                                                            \
		TRUTH_COUNT(caller_name, callee_name);                                             \
		call;                                                                              \
	})

/* In a function's body: counts a call whose caller is unknown (a signal handler's). */
#define ENTERED() TRUTH_COUNT(NULL, __func__)

#endif
