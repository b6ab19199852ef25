/* SPDX-License-Identifier: MIT */
/* json_functions.h - functions, arcs and threads as JSON, for `report --json` and `graph --json`.
 * See schema.md. */
#ifndef REPORT_JSON_FUNCTIONS_H
#define REPORT_JSON_FUNCTIONS_H

#include "report/view/listing.h"

/* The whole document. */
void json_functions(const struct view *v, const struct derived *d, const struct listing *l);

/* Its members "functions" and "arcs" alone. */
void json_functions_members(const struct view *v, const struct derived *d, const struct listing *l);

#endif
