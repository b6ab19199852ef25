/* SPDX-License-Identifier: MIT */
/*
 * open.h - the zones of Python functions that are open in the calling thread.
 *
 * The sources of events (profiled.h, monitored.h) call a function of these for each event. All are to
 * be called by a thread that holds the interpreter's lock, and read the thread's frames themselves
 * where they need them.
 *
 * Invariant: after each event the open zones are those of the thread's frames from the outermost known
 * one on, in their order, but for frames that end or whose function has no zone. Between them stand
 * the functions in C that the source tells of.
 */
#ifndef ZPROF_PYTHON_OPEN_H
#define ZPROF_PYTHON_OPEN_H

#include "preload/adapters/python/cpython.h"
#include "preload/adapters/python/functions.h"

#include <stdbool.h>

/* `lines`: the lines of calls are kept (callsites=1). */
void open_init(bool lines);

/*
 * Whether events are left out, because of a pause. As a pause begins, the thread's zones are left; the
 * first event after its end enters those of the open frames again.
 */
bool open_in_pause(void);

/* The function of the current frame, whose code is `code`, begins, or goes on after a yield. */
void open_called(const struct function *f, struct object *code);
void open_resumed(const struct function *f, struct object *code);

/*
 * It returns, yields, or is ended by an exception. `code` NULL: it surely is the function whose zone
 * was opened last.
 */
void open_left(struct object *code);

/* A function in C is called by the code of the current frame, and returns. */
void open_called_c(const struct function *f);
void open_left_c(void);

/* Abandons the thread's zones: nobody will tell of their returns. */
void open_abandon(void);

#endif
