/* SPDX-License-Identifier: MIT */
/* machine-forth: the state of the `forth` machine, for the files that make it up and for a profiler
 * that watches the guest. What the guest sees is forth-machine.h. */
#ifndef VM_6502_MACHINE_FORTH_H
#define VM_6502_MACHINE_FORTH_H

#include "vm-6502/guest/forth-backtrace.h"
#include "vm-6502/machine/forth-console.h"
#include "vm-6502/machine/forth-files.h"
#include "vm-6502/native/forth-next.h"
#include "vm-6502/machine/machine.h"
#include "vm-6502/machine/timer6526.h"

struct forth {
	struct m6502_hook hook; /* on the whole page */
	struct machine *machine;
	struct console *console;
	struct files *files;
	struct timer6526 timer;
	uint8_t registers[256];  /* FORTH_OP to FORTH_POS + 3, which are plain memory */
	struct forth_next *next; /* runs NEXT natively, and can be watched */
	struct forth_backtrace *backtrace;
	int failed;            /* the errno of the operation that failed last */
	char failed_file[256]; /* the file name that this operation was given; "": none */
	int breaks;            /* how often Ctrl-C came since the guest read from the console */

	/* Does operations 128 to 255; NULL: there is no profiler. Returns the ior. */
	int (*profiler)(struct forth *f, int operation, void *context);
	void *profiler_context;
};

/* The machine's state; `machine` is of the forth kind. */
struct forth *forth_of(struct machine *machine);

/* Carries out an operation of forth-machine.h: reads and writes f->registers. */
void forth_operate(struct forth *f, int operation);

/* Registers of 16 and 32 bits, by their address. */
uint16_t forth_get16(const struct forth *f, uint16_t reg);
void forth_set16(struct forth *f, uint16_t reg, uint16_t value);

#endif
