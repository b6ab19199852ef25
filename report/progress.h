/* SPDX-License-Identifier: MIT */
/*
 * progress.h - one line on the terminal that says what takes so long, once it has taken a second.
 *
 * Nothing is written unless stderr is a terminal, and the line is gone before anything else is
 * printed.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

/* Call it for each unit of work; WHAT, in the present participle, is shown with the number of such
 * calls. */
void progress_step(const char *what);

/* Wipes the line, if there is one. Call it before printing. */
void progress_end(void);

#endif
