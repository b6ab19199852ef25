/* SPDX-License-Identifier: MIT */
/*
 * lines.h - what the calls made from a line of the source cost.
 *
 *     12  int fib(int x)
 *     13  {
 *     14          if (x < 2)
 *     15                  return x;
 *     16          return fib(x - 1) + fib(x - 2);      calls 57270   total 11.2 s   self ...
 *     17  }                    '- column 16  '- column 29
 *
 * Each line has the number of calls made from it; their total, the time that passed until they
 * returned; and their self, the time spent in the called functions themselves. A line may make
 * several calls, so calls from one column to one function are also kept apart.
 *
 * ## Where the times come from
 *
 * The cost of a context (cost.h) is as exact as zprof knows it: by samples, without hooks, with
 * waits. Each place that called it (struct tree_call) has a weight and gets that share of the
 * context's cost. The share of calls from unknown places goes to no place.
 *
 * Likewise a context's time on a processor is divided among the instructions where samples were
 * taken. That gives the time which a line itself took (`own`). Samples in modules other than the
 * function's belong to no line of the function.
 *
 * ## Counting once
 *
 * When fib recurses, a call from line 16 contains other calls from line 16, and a tick of the
 * innermost call is also a tick of the calls around it. As everywhere in zprof, a tick counts once:
 * a line's total is the time in which at least one call from it was under way. On the walk from
 * callers to callees, `cover` is the part of a context's time that is already counted for the line.
 * If the line has the share s of a context's calls, it adds s of the part that is not counted yet:
 *
 *     root -- main -- fib (0.5 from line 16, 0.5 from line 30) -- fib (1 from line 16)
 *     cover of 16:    0.5                                          0.5 + 0.5 * 1 = 1
 *     adds to 16:     0.5 * total of the first                     0.5 * total of the second
 *
 * The result is exact where shares are 0 or 1, as they mostly are. Otherwise it assumes that the
 * place of an outer call says nothing about the place of an inner one.
 */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "report/core/source/places.h"
#include "report/core/tree/tree.h"

/* Calls from one column of a line to one function. */
struct line_call {
	uint32_t line;   /* index into the lines, until lines_make() has sorted them */
	uint32_t column; /* 0: unknown */
	uint32_t callee; /* zone */
	uint32_t next;   /* the line's next call, in no order; 0: none */
	uint64_t calls;
	struct cost total, self;
};

struct line {
	uint32_t file, line; /* file: number in struct places */
	uint32_t first_call; /* 0: none */
	uint32_t call_count; /* length of the list from first_call on */
	uint64_t calls;
	struct cost total, self;
	struct cost own; /* time that the function itself took here, by samples */
	bool has_own;
	bool shown; /* a function that is shown makes a call here, or was sampled here */
};

struct lines {
	struct line *list; /* by file and line; [0] is not used */
	size_t count, room;
	struct line_call *calls; /* [0] is not used */
	size_t call_count, call_room;
	uint64_t calls_nowhere; /* calls of functions with hooks, made from no known line */
};

/* SHOWN says by zone whether a function's calls are shown. Call places_find() before. */
void lines_make(struct lines *l, const struct tree *t, const struct zones *zones,
		const struct places *places, const bool *shown);
void lines_free(struct lines *l);

/* Adds the share WEIGHT / WEIGHTS of a context's time on a processor: of the samples at one place. */
void lines_add_sampled(struct cost *to, const struct node *n, double weight, double weights);

#endif
