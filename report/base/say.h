/* SPDX-License-Identifier: MIT */
/* say.h - what the command says on stderr, a line at a time. */
#ifndef REPORT_SAY_H
#define REPORT_SAY_H

/* Prints `zprof: MESSAGE` and a newline, all of it visible (visible.h), behind any progress. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
