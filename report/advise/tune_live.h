/* SPDX-License-Identifier: MIT */
/* tune_live.h - `zprof tune --live`: unwatches the listed functions in a running process. */
#ifndef REPORT_TUNE_LIVE_H
#define REPORT_TUNE_LIVE_H

#include "report/advise/leave_out.h"
#include "report/core/view/view.h"

/* Unwatches the functions of O in the process that V shows. RUN_NS: its time, hooks included. */
bool tune_live(struct view *v, const struct leave_out *o, double run_ns, struct str *err);

#endif
