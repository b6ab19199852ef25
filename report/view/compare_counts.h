/* SPDX-License-Identifier: MIT */
/*
 * compare_counts.h - `zprof diff --counts`: how often each line ran before and after, even if lines
 * moved in between.
 *
 * Functions are matched by name and file, and their lines by text (line_match.h); what is left, in
 * functions that were renamed, by the text of all of it. The texts are those of each build where
 * its profile holds them (told.h). Where the text of one side is not known, a line is matched by
 * how far it is from its function's first.
 */
#ifndef REPORT_COMPARE_COUNTS_H
#define REPORT_COMPARE_COUNTS_H

#include "report/view/view.h"

/* O: has two sets, before and after. Prints. False with a message. */
bool compare_counts(struct options *o, struct str *err);

#endif
