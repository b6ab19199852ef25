/* SPDX-License-Identifier: MIT */
/* losses.h - losing data is allowed, losing it silently is not: the counters in the profile. */
#ifndef ZPROF_LOSSES_H
#define ZPROF_LOSSES_H

#include "preload/format.h"

struct process;

/* Adds n to a kind of loss or repair. The first loss for lack of memory is reported on stderr. */
void losses_count(struct process *p, enum zprof_counter kind, uint64_t n);

#endif
