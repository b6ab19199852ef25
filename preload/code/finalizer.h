/* SPDX-License-Identifier: MIT */
/*
 * finalizer.h - the stack frame of the function that runs a module's destructors.
 *
 * A program that ends, or closes a library, calls the functions in the module's DT_FINI_ARRAY. The first of
 * them comes with the compiler: __do_global_dtors_aux() of crtbegin.o. It calls __cxa_finalize(), which jumps to
 * the destructors of C++ objects, one after the other; so their calls return to it. It has no call frame
 * information (gcc builds libgcc/crtstuff.c without), but it has a frame pointer, and a walk along the stack
 * goes on by that.
 */
#ifndef ZPROF_FINALIZER_H
#define ZPROF_FINALIZER_H

#include "preload/code/cfi.h"
#include "preload/code/module.h"

/* False: `pc`, for which there is no call frame information, is not in that function, or it has no frame there yet. */
bool finalizer_frame(const struct module *m, uintptr_t pc, struct cfi *cfi);

#endif
