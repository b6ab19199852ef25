/* SPDX-License-Identifier: MIT */
/*
 * areas.h - the trampolines of a running program that nobody built with hooks (preload/code/areas.h).
 * They are in no file, so zprof reads from the process's memory where they begin.
 */
#ifndef REPORT_AREAS_H
#define REPORT_AREAS_H

#include "report/process/running.h"

/* Adds the trampolines of all areas to the entries of the process (running.h). */
void areas_find(struct running *r);

#endif
