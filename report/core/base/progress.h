/* SPDX-License-Identifier: MIT */
/*
 * progress.h - a line on the terminal that says what takes so long. The line appears after a
 * second.
 *
 * The line is written only if stderr is a terminal, and is wiped before any other output.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stddef.h>

/* Call it for each unit of work. WHAT is a present participle ("reading profiles"); DONE of ALL
 * units are finished. ALL is 0 when the total is unknown. */
void progress_step(const char *what, size_t done, size_t all);

/* No line from now on, because other output has the terminal. */
void progress_off(void);

/* Wipes the line, if there is one. Call it before printing. */
void progress_end(void);

#endif
