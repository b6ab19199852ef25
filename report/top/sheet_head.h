/* SPDX-License-Identifier: MIT */
/* sheet_head.h - the lines around the rows of a live view. Each is added to TEXT. */
#ifndef REPORT_SHEET_HEAD_H
#define REPORT_SHEET_HEAD_H

#include "report/top/top.h"

/* The command, and right of it the process and its state. */
void sheet_head_title(struct str *text, const struct top *t, int width);

/* What all threads did in the last interval, or in the whole run. */
void sheet_head_sums(struct str *text, const struct top *t);

/* Which view this is, which numbers it shows, and which filters hide rows. */
void sheet_head_shown(struct str *text, const struct top *t);

/* The self time of the function under the cursor, reading by reading, as a bar graph. */
void sheet_head_history(struct str *text, const struct top *t, int width, bool unicode);

/* Of a finished profile: line LINE of a report's head. */
void sheet_head_report(struct str *text, struct top *t, size_t line);

/* The name of the function under the cursor, and its place: as much as fits into WIDTH columns, or the
 * REST. The name is in full, unless that takes more than two lines. */
void sheet_head_name(struct str *text, const struct top *t, int width, bool rest);

/* The foot: the text being typed; else a message; else the rest of a long name, if the line above
 * is NAMED; else losses and how far apart in time numbers are. */
void sheet_head_foot(struct str *text, const struct top *t, int width, bool named);

/* The most important keys. */
void sheet_head_keys(struct str *text, const struct top *t, int width);

/* Why there are no rows. */
const char *sheet_head_nothing(const struct top *t);

#endif
