/* SPDX-License-Identifier: MIT */
/* json_functions.h - functions and arcs as JSON, for `report --json` and `graph --json`.
 * See schema.md. */
#ifndef REPORT_JSON_FUNCTIONS_H
#define REPORT_JSON_FUNCTIONS_H

#include "report/core/view/listing.h"

/* The members "functions" and "arcs". */
void json_functions_members(const struct view *v, const struct derived *d, const struct listing *l);

#endif
