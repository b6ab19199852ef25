/* SPDX-License-Identifier: MIT */
/*
 * later.h - displaces the entries of libraries that the program loads by dlopen.
 *
 *     dlopen of the program:   later_begin()     which modules are there
 *                              libc's dlopen()   maps the library, runs its constructors
 *                              later_end()       displaces the entries of modules that are new
 *
 * Entries are displaced while the process has one thread, as at the start (displace.h): a thread may be
 * within a window. This thread is not, since it is here, and so the functions of a library that is new
 * have all returned, or made a call, and no call returns into a window. A handler that interrupts a
 * constructor may load a library, too. Then only that one is new to its later_begin(), and the
 * constructor's comes when its own dlopen() returns. What a library's constructors called is not
 * counted.
 *
 * A library that came while there were threads, or by a dlopen() that the library does not see
 * (start/adapters.c), is no longer new at the next dlopen(). It stays as it is, and a note says how many
 * such libraries there are (start/displacing.h).
 *
 * The plan is made by zprof, as at the start (ask.h). The program waits for that: some milliseconds, and the
 * first time that anybody records the library so long as its size takes.
 *
 * ## dlclose
 *
 * The library's module is marked unloaded (code/module.h), and its contexts are retired. The area stays:
 * another thread may be reading its call frame information to unwind. The next later_begin() that finds
 * the process with one thread unmaps the areas of libraries that are gone. A forked child does not know
 * which areas of its parent's are, and leaves all of them.
 */
#ifndef ZPROF_LATER_H
#define ZPROF_LATER_H

#include "preload/displace/displace.h"

#define LATER_NEVER 0xffffffffu

/*
 * Before the program's dlopen: reads which modules there are. LATER_NEVER: no entry may be displaced in
 * the library that comes.
 */
uint32_t later_begin(struct process *p);

/*
 * After it: displaces the entries of modules that have come since later_begin() gave `known`, and adds to
 * what is done. `folder` has the plans of this run.
 */
void later_end(struct process *p, uint32_t known, const char *folder, uintptr_t hook,
	       struct displace_done *done);

/*
 * Whether a module that was new is one that zprof leaves as it is: of the C and C++ run time, or Lua.
 * `folder`: of the plans; NULL: there is none.
 */
bool later_leaves(const char *folder, const struct module *m);

#endif
