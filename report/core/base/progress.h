/* SPDX-License-Identifier: MIT */
/*
 * progress.h - one line on the terminal that says what takes so long; it appears after a second.
 *
 * Nothing is written unless stderr is a terminal, and the line is gone before anything else is
 * printed.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stddef.h>

/*
 * Call it for each unit of work. WHAT is a present participle ("reading profiles"); DONE of ALL
 * units are finished. ALL is 0 when the total is unknown.
 */
void progress_step(const char *what, size_t done, size_t all);

/* No line from now on: something else has the terminal. */
void progress_off(void);

/* Wipes the line, if there is one. Call it before printing. */
void progress_end(void);

#endif
