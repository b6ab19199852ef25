/* SPDX-License-Identifier: MIT */
/*
 * counts_view.h - the execution profile: how often each line ran, as Pascal/Z printed it.
 *
 *      line       count|                    | share   source
 *        28          53|                    |  1.9 %  for (i = 0; i < lines; i++) {
 *        29       2,650|******************* | 47.1 %          for (n = 0; n < 50; n++)
 *        30          40|                    |  0.7 %                  putchar('*');
 *        31       2,610|******************* | 46.4 %                  ...
 *        32       never|                    |                 fail();
 *
 * A bar of 20 stars is the line of all that ran most often; the share is of all executions of
 * lines. Above it stand the lines that make up 80 % of them. Where statements share a line, a row
 * for each follows, below the column that it begins in.
 */
#ifndef REPORT_COUNTS_VIEW_H
#define REPORT_COUNTS_VIEW_H

#include "report/core/view/view.h"

void counts_view_print(struct view *v);
void counts_view_json(struct view *v);

#endif
