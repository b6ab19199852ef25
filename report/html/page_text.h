/* SPDX-License-Identifier: MIT */
/* page_text.h - texts of a profile in the page. */
#ifndef REPORT_PAGE_TEXT_H
#define REPORT_PAGE_TEXT_H

#include <stdio.h>

/* Writes a JSON string. It has no `<`, so it cannot end the element around it. */
void page_text(FILE *to, const char *text);

#endif
