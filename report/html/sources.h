/* SPDX-License-Identifier: MIT */
/*
 * sources.h - the source files of functions, for the page.
 *
 * Whoever wrote a profile chose its paths, and a page may be given to others. So only regular files
 * with a name that sources have are read, and only text.
 */
#ifndef REPORT_SOURCES_H
#define REPORT_SOURCES_H

#include <stdio.h>

#include "report/core/view/view.h"

/* Writes `,"sources":{PATH:TEXT,...}`: files of functions that take a share of the time. */
void sources_put(FILE *to, const struct view *v, const struct derived *d);

#endif
