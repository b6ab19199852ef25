/* SPDX-License-Identifier: MIT */
/*
 * counts_view.h - the execution profile: how often each line ran, in the layout of Pascal/Z.
 *
 *      line       count|                    | share   source
 *        28          53|                    |  1.9 %  for (i = 0; i < lines; i++) {
 *        29       2,650|******************* | 47.1 %          for (n = 0; n < 50; n++)
 *        30          40|                    |  0.7 %                  putchar('*');
 *        31       2,610|******************* | 46.4 %                  ...
 *        32       never|                    |                 fail();
 *
 * A bar of 20 stars marks the line that ran most often. The share is the line's part of all
 * executions of lines. A head names the lines that make up 80 % of all executions. If a line has
 * several statements, a row for each follows, below the column in which the statement begins.
 */
#ifndef REPORT_COUNTS_VIEW_H
#define REPORT_COUNTS_VIEW_H

#include "report/core/view/view.h"

/* The text and the JSON; false if --lines chooses no line of those that count. */
bool counts_view_print(struct view *v);
bool counts_view_json(struct view *v);

#endif
