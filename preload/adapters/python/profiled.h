/* SPDX-License-Identifier: MIT */
/*
 * profiled.h - events of calls by a profile function in each thread (PyEval_SetProfile).
 *
 * The state of each thread is given the function. A thread that Python code starts gets it as it
 * begins:
 *
 *     _thread.start_new_thread() makes the state of the new thread, and returns without having let
 *     go of the interpreter's lock. A profile function is called for the return of a C function, too,
 *     still before anybody else may have the lock. So the new state is found then.
 *
 * States that C code makes (PyGILState_Ensure) are found at some later event, or never. Calls before
 * that are missing, and the loss is counted.
 *
 * The profile function's object is NULL, so sys.getprofile() returns None, as without zprof. If the
 * program sets a profile function itself, that one takes the place of ours, and works as without
 * zprof. The zones of the thread are left meanwhile. Once the program's function is gone, ours comes
 * back.
 */
#ifndef ZPROF_PYTHON_PROFILED_H
#define ZPROF_PYTHON_PROFILED_H

#include "preload/adapters/python/cpython.h"

#include <stdbool.h>

/* To be called in the main thread. `builtins`: functions in C are zones, too (builtins=1). */
bool profiled_begin(struct interpreter *main, bool builtins);

/* To be called as the interpreter ends. */
void profiled_end(void);

/* To be called for each audited event of the main interpreter, by the thread with the state `state`. */
void profiled_audit(const char *event, struct thread_state *state);

#endif
