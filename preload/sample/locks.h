/* SPDX-License-Identifier: MIT */
/*
 * locks.h - where in the program locks were made. The library stands in front of
 * pthread_mutex_init() to learn that (start/interpose.c), because the place cannot be found out
 * afterwards.
 *
 * The process has one table, which needs no lock: a slot is taken for one lock, and is never given
 * to another. When the table is full, the places of further locks are not known. Only offcpu=1
 * makes such a table.
 */
#ifndef ZPROF_LOCKS_H
#define ZPROF_LOCKS_H

#include <stdint.h>

/* The lock at that address was made by a call that returns to `place`. */
void locks_made(uintptr_t lock, uintptr_t place);

/* Where the lock was made; 0: unknown. */
uintptr_t locks_place(uintptr_t lock);

#endif
