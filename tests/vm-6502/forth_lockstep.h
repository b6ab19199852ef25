/* SPDX-License-Identifier: MIT */
/*
 * forth_lockstep: what the parts of this test share: two Forth machines, one native and one pure, that do
 * the same.
 *
 *	forth_lockstep.c            whole programs: at each NEXT, in slices, watched
 *	forth_lockstep_random.c     primitives one by one
 *	forth_lockstep_machines.c   the machines, whether they agree, and what is printed about it
 */
#ifndef TESTS_VM6502_FORTH_LOCKSTEP_H
#define TESTS_VM6502_FORTH_LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "vm-6502/machine/machine-forth.h"
#include "vm-6502/native/forth-next.h"

enum { ONE_PRIMITIVE = 46 }; /* cycles too few for two primitives */

extern FILE *lockstep_tap; /* TAP goes here, because stdout is the guests' */
extern int lockstep_number, lockstep_failed;
extern struct machine *native, *pure;
/* Stops a machine at each NEXT, while steps want that. */
extern struct forth_watch lockstep_stopper;

void lockstep_begin(const char *image, const char *sources);

/* Starts both with a file of the sources; ends them. */
void lockstep_start(const char *file);
void lockstep_end(void);

/* A random number, the same in each run. */
unsigned lockstep_draw(void);

/* A line of TAP. */
void lockstep_verdict(bool good, const char *format, ...);

/* Says what differs, if anything does. bytes: of memory. */
bool lockstep_agree(const char *where, unsigned bytes);

/*
 * Runs the native machine on to where its registers are valid: if NEXT is left in front of itself or of
 * its JMP (W), the guest's own code comes first. Returns whether it ran natively.
 */
bool lockstep_step(unsigned cycles);

/* Each primitive with random input, after the file has run. */
void lockstep_random(const char *file);

#endif
