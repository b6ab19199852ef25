/* SPDX-License-Identifier: MIT */
/*
 * callers_view.h - the caller tree (callers.h) as text and as JSON: each function of a list, and
 * below it who called it, and on whose behalf.
 */
#ifndef REPORT_CALLERS_VIEW_H
#define REPORT_CALLERS_VIEW_H

#include "report/core/view/listing.h"

/* Chains below this share of the whole are left out unless --min says otherwise or --all is given;
 * so is what is longer than CALLERS_DEEPEST, unless --depth is given. */
#define CALLERS_LEAST   0.005
#define CALLERS_DEEPEST 64

void callers_view_print(struct view *v, const struct derived *d, const struct listing *l);

/* Prints the JSON member "callers". */
void callers_view_json(struct view *v, const struct derived *d, const struct listing *l);

#endif
