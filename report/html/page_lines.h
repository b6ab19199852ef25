/* SPDX-License-Identifier: MIT */
/*
 * page_lines.h - from which lines of its file a function made its calls, and in which it took its own
 * time, where the profile knows (callsites=1, and interpreters). The page shows both beside the
 * source.
 *
 * A call made by code that was inlined counts for the line of the function that the code was
 * inlined into, and so does a sample there: that is the line which a reader of the function sees.
 */
#ifndef REPORT_PAGE_LINES_H
#define REPORT_PAGE_LINES_H

#include "report/html/page_times.h"

/* The number, in R's frames, of the function ZONE, which may be inlined into another one; 0 if it is
 * none of them. */
size_t page_own_frame(const struct zone *zone, const struct symbolize_result *r);

/* Writes `,"lines":[CALLER,CALLEE,LINE,CALLS,...],"own":[FUNCTION,LINE,NS,...]`; NS is time on a
 * processor. */
void page_lines(const struct page *p);

#endif
