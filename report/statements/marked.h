/* SPDX-License-Identifier: MIT */
/*
 * marked.h - sections of the source that its author marked, as Pascal/Z's {$T+} and {$T-} did:
 *
 *     ZPROF_COUNTS_ON
 *     static int parse(void) ...
 *     ZPROF_COUNTS_OFF
 *
 * zprof.h defines both words as nothing; in a comment they do as well, and so in any language. What
 * stands behind ON is in the section, to the line before OFF, or to the end of the file.
 */
#ifndef REPORT_MARKED_H
#define REPORT_MARKED_H

#include "report/statements/statements.h"
#include "report/core/view/view.h"

/* Takes out of S what is not marked, and adds up the rest. */
void marked_keep(struct statements *s, const struct view *v);

#endif
