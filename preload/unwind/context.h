/* SPDX-License-Identifier: MIT */
/*
 * context.h - where a walk by libunwind begins: the registers of the function that asks. How libunwind
 * takes them differs by processor: by a function of its own, or by instructions in its header.
 */
#ifndef ZPROF_CONTEXT_H
#define ZPROF_CONTEXT_H

#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stdbool.h>

/* Finds what is needed in the loaded LIBRARY, libunwind. False: it has no such function. */
bool context_find(void *library);

/* Returns what WALK returns for the registers as they are here. Their frame lasts as long as WALK runs. */
unsigned context_walk(unsigned (*walk)(unw_context_t *context, void *data), void *data);

#endif
