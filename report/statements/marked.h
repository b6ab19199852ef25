/* SPDX-License-Identifier: MIT */
/*
 * marked.h - sections of the source that its author marked, as Pascal/Z's {$T+} and {$T-} did:
 *
 *     ZPROF_COUNTS_ON
 *     static int parse(void) ...
 *     ZPROF_COUNTS_OFF
 *
 * zprof.h defines both words as nothing. They also work in a comment, and so in any language. A
 * section has the lines after ON, up to the line before OFF or to the end of the file.
 */
#ifndef REPORT_MARKED_H
#define REPORT_MARKED_H

#include "report/statements/statements.h"
#include "report/core/view/view.h"

/* Removes statements outside of sections from S, and adds up the rest. */
void marked_keep(struct statements *s, const struct view *v);

#endif
