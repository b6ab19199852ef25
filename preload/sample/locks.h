/* SPDX-License-Identifier: MIT */
/*
 * locks.h - where locks were made: pthread_mutex_init() is intercepted for that
 * (start/interpose.c), because it cannot be found out afterwards.
 *
 * A table of the whole process, without a lock: a lock's slot is taken once and stays its own. When
 * it is full, the places of further locks are not known. Only offcpu=1 makes such a table.
 */
#ifndef ZPROF_LOCKS_H
#define ZPROF_LOCKS_H

#include <stdint.h>

/* The lock at that address was made by a call that returns to `place`. */
void locks_made(uintptr_t lock, uintptr_t place);

/* Where it was made; 0: that is not known. */
uintptr_t locks_place(uintptr_t lock);

#endif
