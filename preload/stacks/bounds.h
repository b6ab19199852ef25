/* SPDX-License-Identifier: MIT */
/*
 * bounds.h - asks the kernel for the bounds of a stack that the program did not announce.
 */
#ifndef ZPROF_BOUNDS_H
#define ZPROF_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#define BOUNDS_UNKNOWN UINTPTR_MAX

/*
 * The mapping around an address, from /proc/self/maps; for the main thread's stack, with all the
 * memory that it may grow into. If /proc cannot be read (in a chroot), *bytes is BOUNDS_UNKNOWN.
 */
void bounds_of_mapping(uintptr_t address, uintptr_t *low, uintptr_t *bytes);

/*
 * The calling thread's own stack, which ends at the thread pointer: libc puts the thread's data at
 * the stack's upper end. Memory above that in the same mapping is not part of the stack. False: sp
 * is not on it, and the bounds are those of the mapping around sp.
 */
bool bounds_of_own(uintptr_t sp, uintptr_t *low, uintptr_t *bytes);

/* The calling thread's signal stack. False: sp is not on it. */
bool bounds_of_signal_stack(uintptr_t sp, uintptr_t *low, uintptr_t *bytes);

#endif
