/* SPDX-License-Identifier: MIT */
/* rows.h - makes the rows of a live view: functions, a block of the call graph, contexts, groups,
 * threads. */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report/top/top.h"

/* Fills in rows, whole and counter of T. T's contexts already have the numbers to show. */
void rows_make(struct top *t);

/* Of a finished profile: opens the contexts above the one in which ZONE has its largest total. The key
 * of that context; 0: there is none. */
uint64_t rows_reveal(struct top *t, uint32_t zone);

void rows_free(struct top *t);

#endif
