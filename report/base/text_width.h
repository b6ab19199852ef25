/* SPDX-License-Identifier: MIT */
/* text_width.h - how many columns of a terminal text takes: none, one or two for each character. */
#ifndef REPORT_TEXT_WIDTH_H
#define REPORT_TEXT_WIDTH_H

#include <stddef.h>

/* Of UTF-8, whatever the locale; a byte that is none of it takes one column. */
int text_width(const char *text);

/* The bytes of the character that TEXT begins with, 1 or more, and its width into *WIDTH. */
size_t text_width_next(const char *text, int *width);

#endif
