/* SPDX-License-Identifier: MIT */
/*
 * watchers: sets up all that watches a run: a trace; subroutines, Forth words or cells, if zprof
 * records the run; buckets that the command line asks for, whose tables are printed at the end.
 */
#ifndef VM_6502_WATCHERS_H
#define VM_6502_WATCHERS_H

#include "vm-6502/machine/machine.h"
#include "vm-6502/command/options.h"

struct watchers;

/* Both are borrowed. NULL: the reason has been printed. */
struct watchers *watchers_new(struct machine *machine, const struct options *o);
void watchers_free(struct watchers *w);

/* To be called at the end of the run, by the function that carries the zones (lend.h). False: a
 * listing can't be written, and the error has been printed. */
bool watchers_finish(struct watchers *w);

/* Prints the tables of buckets (address ranges, with the cycles spent in each) that options ask for.
 * False: a table can't be written, and the error has been printed. */
bool watchers_print(const struct watchers *w);

#endif
