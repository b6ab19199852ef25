/* SPDX-License-Identifier: MIT */
/*
 * lend: the one door to zprof. What the guest runs is lent to the profiler as zones with the 6502's
 * cycles as their second clock; where libzprof.so isn't preloaded nothing happens. The native zone
 * that carries them is whoever calls m6502_run, so nothing between it and here is instrumented.
 */
#ifndef VM_6502_LEND_H
#define VM_6502_LEND_H

#include <stdint.h>

/* cycles: the guest's clock, which outlives the lending. */
void lend_begin(const uint64_t *cycles);
void lend_end(void);

/* A zone by its name; 0 without zprof. */
uint32_t lend_zone(const char *name, const char *group);

void lend_enter(uint32_t zone);
void lend_leave(void);

/* Puts all zones aside, for one that nobody called, and gives a handle; lend_back takes them up
 * again. `now` is the handle of the zones that are running; 0: those the run began with. */
uint64_t lend_aside(void);
void lend_back(uint64_t before, uint64_t now);

#endif
