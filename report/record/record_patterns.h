/* SPDX-License-Identifier: MIT */
/* record_patterns.h - patterns for functions to record, as users give them to --only, --frame and --tails. */
#ifndef REPORT_RECORD_PATTERNS_H
#define REPORT_RECORD_PATTERNS_H

#include "report/core/pattern/pattern.h"

/* Takes patterns separated by spaces; the library splits them in the same way. False with a message. */
bool record_patterns(struct patterns *to, const char *option, const char *value, struct str *err);

#endif
