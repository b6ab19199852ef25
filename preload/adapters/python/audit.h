/* SPDX-License-Identifier: MIT */
/*
 * audit.h - an audit hook that is there before the interpreter is.
 *
 * CPython allows PySys_AddAuditHook() before it is initialized, allocates the hook's entry then, and
 * frees the entry as it ends. In between the program's options choose the allocator (PYTHONMALLOC,
 * -X dev), and the debugging one ends the program when it is given memory of the other. So the entry
 * is memory of ours, which is never freed.
 */
#ifndef ZPROF_PYTHON_AUDIT_H
#define ZPROF_PYTHON_AUDIT_H

#include "preload/adapters/python/cpython.h"

#include <stdbool.h>

/* False: the hook could not be added. */
bool audit_begin(int (*hook)(const char *event, struct object *arguments, void *data), void *data);

/*
 * To be called by the hook for the event "cpython._PySys_ClearAuditHooks", which is the last of an
 * interpreter. The hook is there again for the next one.
 */
void audit_end(void);

#endif
