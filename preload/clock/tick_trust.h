/* SPDX-License-Identifier: MIT */
/*
 * tick_trust.h - is the time stamp counter a clock: of one rate, never stopping, the same on all
 * processors? Tests link another answer.
 */
#ifndef ZPROF_TICK_TRUST_H
#define ZPROF_TICK_TRUST_H

#include <stdbool.h>

bool tick_trusted(void);

#endif
