/* SPDX-License-Identifier: MIT */
/*
 * page_lines.h - from which lines of its file a function made its calls, where the profile knows
 * (callsites=1, and interpreters). The page shows these counts beside the lines of the source.
 */
#ifndef REPORT_PAGE_LINES_H
#define REPORT_PAGE_LINES_H

#include "report/html/page_times.h"

/* Writes `,"lines":[CALLER,CALLEE,LINE,CALLS,...]`. */
void page_lines(const struct page *p);

#endif
