/* SPDX-License-Identifier: MIT */
/*
 * lend: the door to zprof. What the guest runs is lent to the profiler as zones with the 6502's
 * cycles, and more, as clocks of their own; where libzprof.so isn't preloaded nothing happens. The
 * native zone that carries them is the caller of m6502_run, so nothing between it and here is
 * instrumented. (Whether zprof asks where the guest is, forth-next-loop.h looks for itself.)
 */
#ifndef VM_6502_LEND_H
#define VM_6502_LEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zprof_asking;
struct zprof_counted;

/* A counter of the guest's, which outlives the lending. */
void lend_begin(const char *name, const uint64_t *counter);
void lend_end(const char *name);

/* Whether zprof is recording what is lent. */
bool lend_recorded(void);

/* A zone by its name; file may be NULL, line 0. 0 without zprof. */
uint32_t lend_zone(const char *name, const char *group, const char *file, uint32_t line);

/* line: of the caller's source; 0: unknown. */
void lend_enter(uint32_t zone, uint32_t line);
void lend_leave(void);

/* Puts all zones aside, for one that nothing called, and gives a handle; lend_back takes them up
 * again. `now` is the handle of the zones that are running; 0: those the run began with. */
uint64_t lend_aside(void);
void lend_back(uint64_t before, uint64_t now);

/*
 * For a caller that counts calls itself (zprof.h): whether it may; telling the open zones,
 * outermost first, which gives how many of them were open already; handing in what was counted.
 */
bool lend_counts(struct zprof_asking *asking);
size_t lend_path(struct zprof_asking *asking, const uint32_t *zones, size_t count);
void lend_add(struct zprof_counted *contexts, size_t count);

#endif
