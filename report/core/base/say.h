/* SPDX-License-Identifier: MIT */
/* say.h - messages on stderr, one line each. */
#ifndef REPORT_SAY_H
#define REPORT_SAY_H

/* Prints `zprof: MESSAGE` and a newline, after wiping any progress line. The message passes through
 * visible.h. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
