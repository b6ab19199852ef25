/* SPDX-License-Identifier: MIT */
/*
 * pack.h - bytes made smaller, by zlib: what archived profiles hold of programs and their sources.
 */
#ifndef REPORT_PACK_H
#define REPORT_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* Packs N bytes, quickly rather than well. Gives memory of *PACKED bytes; free() it. */
void *pack(const void *bytes, size_t n, size_t *packed);

/*
 * What was packed into PACKED bytes, N of it, with a zero byte behind; free() it. NULL if that is
 * not what they hold.
 */
char *pack_open(const void *bytes, size_t packed, size_t n);

#endif
