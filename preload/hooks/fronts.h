/* SPDX-License-Identifier: MIT */
/* fronts.h - chooses the instances of both front ends at once (hooks.h). */
#ifndef ZPROF_FRONTS_H
#define ZPROF_FRONTS_H

#include <stdint.h>

struct process;

/* Chooses the instances that the process needs now. */
void fronts_choose(const struct process *p);

/* Turns hooks off: nothing is recorded, and each hook is a compare and a return. */
void fronts_off(void);

/*
 * Stores the addresses of the four hooks, as the dynamic linker resolves their names, in
 * hooks[ZPROF_SITE_ENTER] and so on. If the program defines hooks itself, these are the program's.
 */
void fronts_as_linked(uintptr_t *hooks);

#endif
