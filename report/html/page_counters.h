/* SPDX-License-Identifier: MIT */
/*
 * page_counters.h - the numbers of counters for the page: of interpreters, and of what events=
 * counts.
 *
 * Most functions of most profiles have none, so they are lists of the numbers that are not zero, as
 * the further times are (page_times.h), and a page without counters has no such list.
 */
#ifndef REPORT_PAGE_COUNTERS_H
#define REPORT_PAGE_COUNTERS_H

#include "report/html/page_times.h"

/* Writes `,"counters":[NAME,...]`, the names of the counters. Nothing if there are none. */
void page_counter_names(const struct page *p);

/* Writes `,"counted":{...}`, the numbers of the functions and arcs of D; and of the contexts if
 * WHOLE. Nothing if there are no counters. */
void page_counted(const struct page *p, const struct derived *d, bool whole);

#endif
