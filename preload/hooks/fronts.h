/* SPDX-License-Identifier: MIT */
/* fronts.h - the two front ends as one: what is chosen for one is chosen for the other (hooks.h). */
#ifndef ZPROF_FRONTS_H
#define ZPROF_FRONTS_H

#include <stdint.h>

struct process;

/* The instances that the process needs now. */
void fronts_choose(const struct process *p);

/* Nothing is recorded, and each hook is a compare and a return. */
void fronts_off(void);

/*
 * The hooks as this library itself is given them by the dynamic linker, by ZPROF_SITE_ENTER and so
 * on. If the program has hooks of its own, they are those.
 */
void fronts_as_linked(uintptr_t *hooks);

#endif
