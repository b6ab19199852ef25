/* SPDX-License-Identifier: MIT */
/*
 * sources.h - the source files of functions, for the page.
 *
 * The writer of a profile chose its paths, and users give pages to others. So only regular files
 * are read whose names end as sources do, and which hold text.
 *
 * A page must stay small enough to send, whatever the program. Files of the functions that take
 * most come first; a file that is large, or larger than the room that is left, is cut down to the
 * lines of its functions that need a source. What cannot be read is named, with the reason.
 */
#ifndef REPORT_SOURCES_H
#define REPORT_SOURCES_H

#include <stdio.h>

#include "report/core/view/view.h"

/* Whether a function takes enough, in a measure that the page has, for its source to be in it. */
bool sources_need(const struct view *v, const struct derived *d, const struct function *f);

/* Writes `,"sources":{PATH:TEXT,...}` with a list [LINE,TEXT,LINE,TEXT,...] in place of the text where
 * a file is cut down, and `,"missing":{PATH:[WHY,FOLDER],...}`. */
void sources_put(FILE *to, const struct view *v, const struct derived *d);

#endif
