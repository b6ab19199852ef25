/* SPDX-License-Identifier: MIT */
/* attach.h - what stores the bytes that a request changes in code (process/request.h). */
#ifndef ZPROF_ATTACH_H
#define ZPROF_ATTACH_H

#include "preload/sites/patch.h"

/* What the request that is being answered wants; NULL: we store them. */
patch_storer *attach_storer(void);

#endif
