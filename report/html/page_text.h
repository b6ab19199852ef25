/* SPDX-License-Identifier: MIT */
/* page_text.h - texts of a profile in the page. */
#ifndef REPORT_PAGE_TEXT_H
#define REPORT_PAGE_TEXT_H

#include <stdio.h>

/* A JSON string; without `<`, so that it cannot end the element that it is in. */
void page_text(FILE *to, const char *text);

#endif
