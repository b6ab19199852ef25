/* SPDX-License-Identifier: MIT */
/*
 * head_lines.h - the lines above the rows of a text report, and below them, by what they are about.
 *
 *     ./prog                                          view_head.c    what ran
 *     elapsed 8.30 s; on a processor 1.61 s; ...      view_head.c
 *     times: on a processor, from 900 samples; ...    head_times.c   which times, and how good they are
 *     Outside of all functions: 20 ms                 head_times.c
 *     Waiting: 6.2 s, most in read 6 s                head_waits.c   what is beside the times shown
 *     The machine was busy: ...                       head_waits.c
 *     Rows (sampled): ...                             head_notes.c   what rows mean
 *     only zones that match 'parse'                   view_head.c    filters
 *     note: ...                                       head_notes.c   what limits the numbers
 *     note: hooks took 4 times as long as ...         head_times.c   and what to do about it
 *
 * Each function adds whole lines, or nothing.
 */
#ifndef REPORT_HEAD_LINES_H
#define REPORT_HEAD_LINES_H

#include "report/core/view/view.h"

#define HEAD_WORTH_A_LINE 0.01 /* of the whole: of less time nothing is said */

/* The threads of the view's tree. */
size_t head_threads(const struct view *v);

/* TEXT becomes what the view is restricted to; false: it is of the whole program. */
bool head_filters(const struct view *v, struct str *text);

void head_add_times(struct str *to, const struct view *v, const struct derived *d);
void head_add_heaviness(struct str *to, const struct view *v, const struct derived *d);
void head_add_waits(struct str *to, const struct view *v, const struct derived *d);
void head_add_rows(struct str *to, const struct view *v, const struct derived *d);
void head_add_notes(struct str *to, const struct view *v, const struct derived *d);

#endif
