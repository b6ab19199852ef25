/* SPDX-License-Identifier: MIT */
/*
 * functions.h - the zones of Python functions.
 *
 * A code object keeps a pointer to its record (the interpreter's "extra" of code objects), so a
 * record is found without a search, and dies with its code. Two code objects with the same module,
 * qualified name, file and line share a zone: a program that makes the same function a million times
 * has one zone of it.
 *
 * All functions are to be called by a thread that holds the interpreter's lock.
 */
#ifndef ZPROF_PYTHON_FUNCTIONS_H
#define ZPROF_PYTHON_FUNCTIONS_H

#include "preload/adapters/python/cpython.h"

#include <stdbool.h>

struct function {
	uint32_t zone;
	int begins; /* of a generator or coroutine: the offset in the code at which its body begins;
		       a call event elsewhere is a resumption. -1: every call event is a call */
};

/* Called once before the others. False: the interpreter keeps no extras. `minor`: of Python 3. */
bool functions_init(int minor);

/*
 * The function of `code`, which runs in `frame` (NULL: the current one); made at its first call. NULL:
 * no memory. The exception that is being raised, if any, stays.
 */
const struct function *functions_of(struct object *code, struct object *frame);

/* The same for a function in C: `builtins.len`. NULL also if it is no such function. */
const struct function *functions_of_c(struct object *callable);

#endif
