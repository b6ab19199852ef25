/* SPDX-License-Identifier: MIT */
/* context_x86_64.c - see context.h. */
#define _GNU_SOURCE
#include "preload/unwind/context.h"

#include <dlfcn.h>

#define TEXT_OF(x)  TEXT_OF_(x)
#define TEXT_OF_(x) #x

static int (*get_context)(unw_tdep_context_t *);

bool context_find(void *library)
{
	get_context = (int (*)(unw_tdep_context_t *))dlsym(library, TEXT_OF(unw_tdep_getcontext));
	return get_context;
}

unsigned context_walk(unsigned (*walk)(unw_context_t *context, void *data), void *data)
{
	unw_context_t context;

	get_context(&context);
	return walk(&context, data);
}
