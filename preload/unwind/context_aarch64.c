/* SPDX-License-Identifier: MIT */
/* context_aarch64.c - see context.h. Here libunwind's header has the instructions that store the registers. */
#include "preload/unwind/context.h"

bool context_find(void *library)
{
	return library;
}

unsigned context_walk(unsigned (*walk)(unw_context_t *context, void *data), void *data)
{
	unw_context_t context;

	unw_getcontext(&context);
	return walk(&context, data);
}
