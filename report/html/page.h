/* SPDX-License-Identifier: MIT */
/*
 * page.h - a profile as one page for a browser, which needs nothing else: page.html with its style,
 * its script and the profile inside.
 *
 * The profile is JSON in an element that is not run, and the script puts text into the page as text
 * alone. The page allows its own script by the script's hash and nothing else, neither other
 * scripts nor the network: so a name in a hostile profile can do nothing.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "report/core/disk/file_rules.h"
#include "report/core/view/listing.h"

/* A file that page_write() has written, for file_may_write(). */
extern const struct file_output page_output;

/* Writes the page. SOURCES: with the text of source files, where they can be read. */
void page_write(FILE *to, struct view *v, bool sources);

#endif
