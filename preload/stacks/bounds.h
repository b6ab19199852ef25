/* SPDX-License-Identifier: MIT */
/*
 * bounds.h - where a stack that the program did not announce begins and ends, as far as the kernel
 * knows.
 */
#ifndef ZPROF_BOUNDS_H
#define ZPROF_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#define BOUNDS_UNKNOWN UINTPTR_MAX

/*
 * The mapping around an address, from /proc/self/maps, and for the main thread's stack all that it
 * may grow into. Where that cannot be read (in a chroot without /proc): bytes is BOUNDS_UNKNOWN.
 */
void bounds_of_mapping(uintptr_t address, uintptr_t *low, uintptr_t *bytes);

/*
 * A thread's own stack, if sp is on it. libc puts what the thread pointer points to at its upper
 * end; what the same mapping holds above is something else, that came to lie beside it.
 */
bool bounds_of_own(uintptr_t sp, uintptr_t *low, uintptr_t *bytes);

/* The signal stack of this thread, if sp is on it. */
bool bounds_of_signal_stack(uintptr_t sp, uintptr_t *low, uintptr_t *bytes);

#endif
