/* SPDX-License-Identifier: MIT */
/*
 * hooks.h - which instance of the hot path (hot.h) the program's calls go to.
 *
 * What the program calls is a jump through a pointer, which the processor predicts; the clock can
 * be chosen at start, then, and counting alone pays nothing for timing. Until then it is the
 * instance that reads the clock at every event.
 */
#ifndef ZPROF_HOOKS_H
#define ZPROF_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * `mode`: enum zprof_mode; filtered: functions may be left out (only.h). For all threads, once;
 * nothing has been recorded yet.
 */
void hooks_choose(uint32_t mode, bool filtered);

/* The same, of each front end. */
void fentry_choose(uint32_t mode, bool filtered);

#endif
