/* SPDX-License-Identifier: MIT */
/* audit.c - see audit.h. */
#include "preload/adapters/python/audit.h"

#define RAW 0 /* the domain of memory that the entry is in */

static char entry[128] __attribute__((aligned(16)));
static bool given;
static int (*the_hook)(const char *event, struct object *arguments, void *data);
static void *the_data;
static struct allocator before; /* the allocator in whose place ours is */

static void *give(void *context, size_t bytes)
{
	(void)context;
	if (given || bytes > sizeof(entry))
		return before.malloc(before.context, bytes);
	given = true;
	return entry;
}

bool audit_begin(int (*hook)(const char *event, struct object *arguments, void *data), void *data)
{
	struct allocator ours;
	bool added;

	the_hook = hook;
	the_data = data;
	PyMem_GetAllocator(RAW, &before);
	ours = before;
	ours.malloc = give;
	PyMem_SetAllocator(RAW, &ours);
	added = PySys_AddAuditHook(hook, data) == 0;
	PyMem_SetAllocator(RAW, &before);
	return added;
}

/*
 * CPython has emptied its list of hooks before it frees the entries. So ours is added again, in case
 * the program initializes the interpreter once more.
 */
static void release(void *context, void *memory)
{
	(void)context;
	if (memory == entry) {
		PyMem_SetAllocator(RAW, &before);
		audit_begin(the_hook, the_data);
	} else {
		before.free(before.context, memory);
	}
}

static void *pass_malloc(void *context, size_t bytes)
{
	(void)context;
	return before.malloc(before.context, bytes);
}

static void *pass_calloc(void *context, size_t count, size_t bytes)
{
	(void)context;
	return before.calloc(before.context, count, bytes);
}

static void *pass_realloc(void *context, void *memory, size_t bytes)
{
	(void)context;
	return before.realloc(before.context, memory, bytes);
}

void audit_end(void)
{
	struct allocator ours = {NULL, pass_malloc, pass_calloc, pass_realloc, release};

	if (!given)
		return;
	given = false;
	PyMem_GetAllocator(RAW, &before);
	PyMem_SetAllocator(RAW, &ours);
}
