/* SPDX-License-Identifier: MIT */
/*
 * pprof.h - pprof's format for a store of many profiles, which adds up what it receives.
 *
 * The types of samples are `calls` (count), `cpu` and `wait` (nanoseconds), and the counters of
 * interpreters. A profile that does not tell processor time from waits has `time` in their place; a
 * profile of calls alone has no time. Samples have no labels: a store would begin a series for each
 * thread and process. A context whose time is below zero has 0, without a message for each profile.
 * The period is 1 ns, because times are no multiples of a sampling period.
 *
 * The view must show processor time (TIME_CPU) if its profiles know that measure.
 */
#ifndef REPORT_PPROF_H
#define REPORT_PPROF_H

#include "report/export/export.h"

extern const struct export_format pprof_store_format;

#endif
