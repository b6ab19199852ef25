/* SPDX-License-Identifier: MIT */
/*
 * progress.h - one line on the terminal that says what takes so long, once it has taken a second.
 *
 * Nothing is written unless stderr is a terminal, and the line is gone before anything else is
 * printed.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stddef.h>

/*
 * Call it for each unit of work. WHAT is said in the present participle, DONE of ALL units behind
 * it; ALL may be 0, when it is not known.
 */
void progress_step(const char *what, size_t done, size_t all);

/* Wipes the line, if there is one. Call it before printing. */
void progress_end(void);

#endif
