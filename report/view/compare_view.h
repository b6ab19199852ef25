/* SPDX-License-Identifier: MIT */
/*
 * compare_view.h - a comparison as text and as JSON: two sides with what changed, three or more
 * with a column each.
 */
#ifndef REPORT_COMPARE_VIEW_H
#define REPORT_COMPARE_VIEW_H

#include "report/view/compare.h"

void compare_view_print(const struct compare *c);

/* The beginning of the document and its tables; the caller may add members, and ends it. */
void compare_view_json(const struct compare *c);

#endif
