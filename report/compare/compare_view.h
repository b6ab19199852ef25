/* SPDX-License-Identifier: MIT */
/*
 * compare_view.h - a comparison as text and as JSON. Two sides are shown with what changed, three
 * or more with a column each.
 */
#ifndef REPORT_COMPARE_VIEW_H
#define REPORT_COMPARE_VIEW_H

#include "report/compare/compare.h"

/* Adds when the first process of a side was recorded, and the build-id of its program, so that
 * readers of a verdict know what was compared: `recorded 2026-05-17 12:00:00, build-id 12ab...`. */
void compare_view_origin(const struct compare *c, size_t side, struct str *to);

void compare_view_print(const struct compare *c);

/* Prints the JSON document up to its end. The caller may add members, and ends it. */
void compare_view_json(const struct compare *c);

#endif
