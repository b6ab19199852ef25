/* SPDX-License-Identifier: MIT */
/*
 * locks.h - where locks were made: pthread_mutex_init() is intercepted for that
 * (start/interpose.c), because the place cannot be found out afterwards.
 *
 * One table for the process, without a lock: a lock's slot is taken once and stays its own. When
 * the table is full, the places of further locks are not known. Only offcpu=1 makes such a table.
 */
#ifndef ZPROF_LOCKS_H
#define ZPROF_LOCKS_H

#include <stdint.h>

/* The lock at that address was made by a call that returns to `place`. */
void locks_made(uintptr_t lock, uintptr_t place);

/* Where the lock was made; 0: unknown. */
uintptr_t locks_place(uintptr_t lock);

#endif
