/* SPDX-License-Identifier: MIT */
/*
 * attach.h - the function that stores the bytes that a request changes in code (process/request.h).
 */
#ifndef ZPROF_ATTACH_H
#define ZPROF_ATTACH_H

#include "preload/sites/patch.h"

/*
 * The function that the request being answered asks for; NULL: this process stores the bytes
 * itself.
 */
patch_storer *attach_storer(void);

#endif
