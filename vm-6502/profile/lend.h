/* SPDX-License-Identifier: MIT */
/*
 * lend: calls zprof's functions for interpreters (zprof.h). The guest's subroutines or words are
 * lent to zprof as zones, with the 6502's cycles and other counts as counters. Without libzprof.so
 * nothing happens. The carrier of these zones is the caller of m6502_run, so no function between
 * that caller and this file may have hooks. (forth-next-loop.h tests by itself whether zprof asks
 * for a path.)
 */
#ifndef VM_6502_LEND_H
#define VM_6502_LEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zprof_asking;
struct zprof_counted;

/* Adds a counter of the guest's, which must be readable until lend_end removes it. */
void lend_begin(const char *name, const uint64_t *counter);
void lend_end(const char *name);

/* Whether zprof is recording. */
bool lend_recorded(void);

/* A zone by its name; file may be NULL, line 0. 0 without zprof. */
uint32_t lend_zone(const char *name, const char *group, const char *file, uint32_t line);

/* line: of the caller's source; 0: unknown. */
void lend_enter(uint32_t zone, uint32_t line);
void lend_leave(void);

/* Puts all open zones aside, before a zone that nothing called, and returns a handle; lend_back
 * takes the zones up again. `now` is the handle of the zones that are running; 0: those that the
 * run began with. */
uint64_t lend_aside(void);
void lend_back(uint64_t before, uint64_t now);

/*
 * For a caller that counts calls itself (zprof.h). lend_counts: whether it may. lend_path: tells
 * the open zones, outermost first, and returns how many of them were open already. lend_add: hands
 * over the counts.
 */
bool lend_counts(struct zprof_asking *asking);
size_t lend_path(struct zprof_asking *asking, const uint32_t *zones, size_t count);
void lend_add(struct zprof_counted *contexts, size_t count);

#endif
