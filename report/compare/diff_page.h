/* SPDX-License-Identifier: MIT */
/*
 * diff_page.h - a comparison of two sides as one page for a browser: the functions of both sides,
 * and a flame graph of the contexts of both (compare_contexts.h).
 *
 * The page has the style of `zprof html`, and the parts of its script that know nothing of one
 * profile alone (report/html/script/). As there, names get into the page as text alone.
 */
#ifndef REPORT_DIFF_PAGE_H
#define REPORT_DIFF_PAGE_H

#include "report/compare/compare.h"

/* Writes the page into the file that --output names, and says so. False with a message if that
 * file may not be replaced, or cannot be written. */
bool diff_page_write(struct compare *c, struct str *err);

#endif
