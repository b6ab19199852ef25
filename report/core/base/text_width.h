/* SPDX-License-Identifier: MIT */
/* text_width.h - how many columns of a terminal a text takes: 0, 1 or 2 for each character. */
#ifndef REPORT_TEXT_WIDTH_H
#define REPORT_TEXT_WIDTH_H

#include <stddef.h>

/* The width of UTF-8 text, in any locale; a byte that is not UTF-8 takes one column. */
int text_width(const char *text);

/* The length in bytes (1 or more) of the first character of TEXT; its width goes into *WIDTH. */
size_t text_width_next(const char *text, int *width);

#endif
