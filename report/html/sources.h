/* SPDX-License-Identifier: MIT */
/*
 * sources.h - the source files of functions, for the page.
 *
 * The writer of a profile chose its paths, and users give pages to others. So only regular files
 * are read whose names end as sources do, and which hold text.
 */
#ifndef REPORT_SOURCES_H
#define REPORT_SOURCES_H

#include <stdio.h>

#include "report/core/view/view.h"

/* Writes `,"sources":{PATH:TEXT,...}`: the files of functions with a share of the time. */
void sources_put(FILE *to, const struct view *v, const struct derived *d);

#endif
