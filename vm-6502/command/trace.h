/* SPDX-License-Identifier: MIT */
/* trace: a line for each instruction and interrupt: cycle, registers as they are before it, and the
 * instruction. Runs the exact core; writing takes most of the time. */
#ifndef VM_6502_TRACE_H
#define VM_6502_TRACE_H

#include "vm-6502/cpu/m6502.h"
#include "vm-6502/guest/symbols.h"

struct trace;

/*
 * path "-" is stderr. NULL with a message in err. Becomes m's observer; both others are borrowed.
 */
struct trace *trace_new(struct m6502 *m, const struct symbols *symbols, const char *path, char *err,
			size_t size);
void trace_free(struct trace *t);

#endif
