/* SPDX-License-Identifier: MIT */
/*
 * debug: breakpoints, watched addresses, and a prompt to look around at. Breakpoints and watches
 * are hooks, so a program runs at full speed between them.
 */
#ifndef VM_6502_DEBUG_H
#define VM_6502_DEBUG_H

#include <stdio.h>

#include "vm-6502/machine/machine.h"
#include "vm-6502/guest/symbols.h"

struct debug;

/* Both are borrowed; symbols may be NULL. NULL: out of memory. */
struct debug *debug_new(struct machine *machine, const struct symbols *symbols);
void debug_free(struct debug *d);

/* Sets a breakpoint or a watch, which pause the run. False: there is one already at the address. */
bool debug_break(struct debug *d, uint16_t at);
bool debug_watch(struct debug *d, uint16_t at);

/* Sets a point that ends the run before the instruction at the address. */
bool debug_stop(struct debug *d, uint16_t at);

/* Runs to `until` as m6502_run does; breakpoints where the last run stopped are stepped over. */
enum m6502_why debug_run(struct debug *d, uint64_t until);

/* Which kind of point stopped the last run, if one did, and its address. */
enum debug_event { DEBUG_NOTHING, DEBUG_BREAK, DEBUG_WATCH, DEBUG_STOP };
enum debug_event debug_event(const struct debug *d, uint16_t *at);

/* Reads and obeys commands until the guest is to run on; false: to quit. */
bool debug_monitor(struct debug *d, const char *why);

const struct symbols *debug_symbols(const struct debug *d);
struct machine *debug_machine(const struct debug *d);

/* pc and registers, the cycle, the instruction about to run. */
void debug_registers(const struct debug *d, FILE *to);

#endif
