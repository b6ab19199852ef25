/* SPDX-License-Identifier: MIT */
/* request.c - see request.h. */
#include "preload/process/request.h"

struct zprof_request zprof_request = {.magic = REQUEST_MAGIC};
