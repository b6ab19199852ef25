/* SPDX-License-Identifier: MIT */
/*
 * lines.h - what the calls in a line of the source cost.
 *
 *     12  int fib(int x)
 *     13  {
 *     14          if (x < 2)
 *     15                  return x;
 *     16          return fib(x - 1) + fib(x - 2);      calls 57270   total 11.2 s   self ...
 *     17  }                    '- column 16  '- column 29
 *
 * Of a line: how many calls were made from it; their total, all that passed until they returned;
 * and their self, what was spent in the functions that it called themselves. Calls from the same
 * column to the same function are told apart from the others, because a line may have two calls.
 *
 * ## Where the times come from
 *
 * A context's cost (cost.h) is as well known as it can be: samples, hooks taken off, waits. Its
 * calls by place (struct tree_call) have weights. So each place gets its share of the context's
 * cost, by weight; the share of calls whose place is not known goes to no place.
 *
 * Likewise a context's time on a processor is divided among the instructions where samples have
 * found it: what a line took itself (`own`). Samples in modules other than the function's belong to
 * no line of it.
 *
 * ## Counting once
 *
 * fib's calls are made within calls from the same line, and a tick of the innermost call is also
 * one of all the calls around it. As everywhere in zprof, a tick counts once: a line's total is the
 * time in which a call from it was under way. Going up the tree, `cover` is the part of a context's
 * time that is known to be counted for the line already. A context of which the line has the share
 * s adds s of what is left:
 *
 *     root -- main -- fib (0.5 from line 16, 0.5 from line 30) -- fib (1 from line 16)
 *     cover of 16:    0.5                                          0.5 + 0.5 * 1 = 1
 *     adds to 16:     0.5 * total of the first                     0.5 * total of the second
 *
 * It is exact where shares are 0 or 1, as they mostly are. Otherwise it assumes that the place of
 * the outer call says nothing about that of the inner one.
 */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "report/core/source/places.h"
#include "report/core/tree/tree.h"

/* Calls from one column of a line to one function. */
struct line_call {
	uint32_t line;   /* index into the lines */
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
	struct cost own; /* what the function took here itself, by samples */
	bool has_own;
	bool shown; /* a function that is shown makes a call here, or a sample found it here */
};

struct lines {
	struct line *list; /* [0] is not used */
	size_t count, room;
	struct line_call *calls; /* [0] is not used */
	size_t call_count, call_room;
	uint64_t calls_nowhere; /* of functions with hooks, from no known line */
};

/* SHOWN: one flag per zone: functions whose calls are to be shown. All places have been found. */
void lines_make(struct lines *l, const struct tree *t, const struct zones *zones,
		const struct places *places, const bool *shown);
void lines_free(struct lines *l);

/* Sorts by file and line; `line` of the calls says nothing any more. */
void lines_sort(struct lines *l);

#endif
