/* SPDX-License-Identifier: MIT */
/* first_view.h - what `zprof top` and `zprof view` begin with: the view and its order, from options. */
#ifndef REPORT_FIRST_VIEW_H
#define REPORT_FIRST_VIEW_H

#include "report/top/top.h"

/* The view of --view; NULL: the first. FINISHED: those of a finished profile, too. False with a
 * message. */
bool first_view_of(const char *name, bool finished, enum top_view *view, struct str *err);

/* The column of --sort; TOP_COLUMNS if --sort was not given. */
enum top_column first_view_sort(enum filter_sort sort);

#endif
