/* SPDX-License-Identifier: MIT */
/* begin.h - whether recording is to begin at all. */
#ifndef ZPROF_BEGIN_H
#define ZPROF_BEGIN_H

#include <stdbool.h>

/*
 * A program may be linked with the library and run without being profiled: recording is asked for
 * by preloading it, or by ZPROF_OPTIONS. A setuid program is not recorded, whatever is asked.
 */
bool begin_wanted(void);

/* Chooses the instances of the hooks that the process needs now. */
struct process;
void begin_choose_hooks(const struct process *p);

#endif
