/* SPDX-License-Identifier: MIT */
/* begin.h - whether recording is to begin at all. */
#ifndef ZPROF_BEGIN_H
#define ZPROF_BEGIN_H

#include <stdbool.h>

/*
 * Whether the user wants this program recorded: the library is preloaded, or ZPROF_OPTIONS or
 * ZPROF_RUN is set. A program that is only linked with the library runs unrecorded. A setuid
 * program is never recorded.
 */
bool begin_wanted(void);

#endif
