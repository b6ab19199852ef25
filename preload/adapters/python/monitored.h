/* SPDX-License-Identifier: MIT */
/*
 * monitored.h - events of calls by sys.monitoring (PEP 669), which Python has from 3.12 on.
 *
 * The interpreter calls a function of ours for each kind of event, in whatever thread of the main
 * interpreter, also in those that C code makes. It takes one of six numbers of tools; those that have
 * a meaning in Python's documentation (debuggers, coverage, profilers, optimizers) are left to the
 * program, which may use them, cProfile and sys.setprofile() meanwhile.
 *
 * A profile function (profiled.h) costs 1.1 to 2 times as much there (README.md has the figures): the
 * interpreter builds it on the same events, makes a frame object for each call, and reports calls of
 * functions in C, too.
 */
#ifndef ZPROF_PYTHON_MONITORED_H
#define ZPROF_PYTHON_MONITORED_H

#include <stdbool.h>

/* False: there is no sys.monitoring, or the program has taken both numbers; nothing has changed. */
bool monitored_begin(void);

#endif
