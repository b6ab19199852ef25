/* SPDX-License-Identifier: MIT */
/*
 * watchers: what watches a run, as the command line asks: a trace, a profile of subroutines or of
 * Forth words; and the tables that they print at the end. With zprof preloaded a Forth is watched
 * without asking.
 */
#ifndef VM_6502_WATCHERS_H
#define VM_6502_WATCHERS_H

#include "vm-6502/machine/machine.h"
#include "vm-6502/command/options.h"

struct watchers;

/* Both are borrowed. NULL: the reason has been printed. */
struct watchers *watchers_new(struct machine *machine, const struct options *o);
void watchers_free(struct watchers *w);

/* The run is over; called by the function that carries the zones (lend.h). */
void watchers_finish(struct watchers *w);

/* The tables that were asked for. False: one can't be written, and the error has been printed. */
bool watchers_print(const struct watchers *w);

#endif
