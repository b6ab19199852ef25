/* SPDX-License-Identifier: MIT */
/* formats.h - the table of formats that profiles are exported in (export.h). */
#ifndef REPORT_FORMATS_H
#define REPORT_FORMATS_H

#include "report/export/export.h"

extern const struct export_format *const formats[]; /* ends with NULL */

/* The format called NAME; NULL: there is none. */
const struct export_format *formats_find(const char *name);

#endif
