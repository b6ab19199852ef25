/* SPDX-License-Identifier: MIT */
/*
 * watchers: what watches a run: a trace; for zprof, if it records the run, subroutines, Forth words
 * or cells; the buckets that the command line asks for, whose tables are printed at the end.
 */
#ifndef VM_6502_WATCHERS_H
#define VM_6502_WATCHERS_H

#include "vm-6502/machine/machine.h"
#include "vm-6502/command/options.h"

struct watchers;

/* Both are borrowed. NULL: the reason has been printed. */
struct watchers *watchers_new(struct machine *machine, const struct options *o);
void watchers_free(struct watchers *w);

/* The run is over; called by the function that carries the zones (lend.h). False: a listing can't be
 * written, and the error has been printed. */
bool watchers_finish(struct watchers *w);

/* The tables of buckets that were asked for. False: one can't be written, and the error has been printed. */
bool watchers_print(const struct watchers *w);

#endif
