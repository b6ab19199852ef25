/* SPDX-License-Identifier: MIT */
/* run: one run of a machine, from the first instruction to the exit status. */
#ifndef VM_6502_RUN_H
#define VM_6502_RUN_H

#include "vm-6502/command/options.h"

/* Runs as the options say, prints what they ask for, and reports on stderr why the guest stopped if
 * it did not end by itself. Returns the exit status. */
int run(struct machine *machine, const struct options *o);

#endif
