/* SPDX-License-Identifier: MIT */
/*
 * attach.h - the function that stores the bytes that a request changes in code (process/request.h).
 */
#ifndef ZPROF_ATTACH_H
#define ZPROF_ATTACH_H

#include "preload/sites/patch.h"

/*
 * The function for the request that is being answered. If `zprof attach` has stopped the threads,
 * it hands the bytes over to that process. NULL: this process stores the bytes itself.
 */
patch_storer *attach_storer(void);

#endif
