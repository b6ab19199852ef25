/* SPDX-License-Identifier: MIT */
/*
 * annotate.h - the source, with what each line cost beside it.
 *
 *       line    calls    total  per call     self  source
 *          5   57,270   11.2 s    195 us   11.2 s  int fib(int x)                  the function
 *          6                                       {
 *          7                                               if (x < 2)
 *          8                                                       return x;
 *          9  x57,268   11.2 s    195 us   11.2 s          return fib(x - 1) + fib(x - 2);
 *            x28,656   6.90 s    240 us   6.90 s                 ^ fib              each call
 *            x28,612   4.30 s    150 us   4.30 s                              ^ fib
 *         10                                       }
 *
 * A function's first line shows what the function cost: its calls, total and self time. All other
 * figures are of calls that were made from the line (lines.h); an x stands before their number.
 * Where a line makes several calls, a row for each follows, with the callee's name below the column
 * of the call. Functions that are not selected, and lines far from any figure, are left out; `...`
 * stands for them.
 */
#ifndef REPORT_ANNOTATE_H
#define REPORT_ANNOTATE_H

#include "report/annotate/lines.h"
#include "report/core/view/listing.h"
#include "report/core/source/source_text.h"
#include "report/core/view/view.h"

/* A function that is shown, where it is defined. */
struct annotate_function {
	uint32_t zone;
	uint32_t file, line, end; /* its last line; 0: unknown */
};

/* One file: its ranges of `functions` and of `lines`. */
struct annotate_file {
	uint32_t file;
	double weight; /* self time of its functions */
	size_t first_function, function_count, first_line, line_count;
};

struct annotate_options {
	bool right;        /* the figures */
	bool instructions; /* instead of lines (instructions.h) */
	bool found;        /* not given by the user: some line has been shown, of any part */
};

struct annotate {
	struct view *view;
	const struct derived *derived;
	struct listing listing;
	struct lines lines;                  /* by file and line */
	struct annotate_function *functions; /* by file and line */
	size_t function_count;
	struct annotate_file *files; /* the most expensive first */
	size_t file_count;
};

void annotate_make(struct annotate *a, struct view *v, const struct derived *d);
void annotate_free(struct annotate *a);

const char *annotate_path(const struct annotate *a, const struct annotate_file *f);

/* The text and the JSON of all files; returns whether they show any line. */
bool annotate_print(struct annotate *a);
bool annotate_json(struct annotate *a);

#endif
