/* SPDX-License-Identifier: MIT */
/*
 * option_text.h - a value in a text of options, as the library reads it (preload/process/options.h):
 *
 *     "output=x,only=scan_* file:a\,b.c,report=1"        only: `scan_* file:a,b.c`
 */
#ifndef REPORT_OPTION_TEXT_H
#define REPORT_OPTION_TEXT_H

/* The last value of NAME in OPTIONS, for free(); NULL if it is not there. OPTIONS may be NULL. */
char *option_text(const char *options, const char *name);

#endif
