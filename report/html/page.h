/* SPDX-License-Identifier: MIT */
/*
 * page.h - a profile as one page for a browser: page.html with its style, its script and the
 * profile inside. The page needs no other file.
 *
 * The profile is JSON in an element that browsers do not run, and the script puts names into the
 * page as text alone. The page allows only the script with its own hash, and no network. So a name
 * in a hostile profile can do nothing.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "report/core/disk/file_rules.h"
#include "report/core/view/listing.h"

/* Says for file_may_write() which files page_write() has written. */
extern const struct file_output page_output;

/* For file_output: whether a file is a page by its title, which is CONTEXT. */
bool page_has_title(const char *head, size_t bytes, const void *context);

/* Writes the page. SOURCES: also the text of source files, where they can be read. */
void page_write(FILE *to, struct view *v, bool sources);

#endif
