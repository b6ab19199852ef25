/* SPDX-License-Identifier: MIT */
/*
 * forth-backtrace: tells where a Forth program was when it met an error. The Forth asks for a
 * *mark* at each THROW, before the return stack is unwound, and for the lines of a report when
 * nothing caught the error. A mark is a copy of page 1 and little more, since most errors are
 * caught; names are looked up when the first line is asked for.
 *
 * The lines are
 *
 *	0     the line of source that was interpreted; empty when it isn't known
 *	1     spaces, and a sign below the word of that line; empty when line 0 is
 *	2 …   `in WORD (FILE:LINE)`, the innermost first
 *
 * Words of the system are shown only if the program itself called them and they do not merely pass
 * errors on.
 */
#ifndef VM_6502_FORTH_BACKTRACE_H
#define VM_6502_FORTH_BACKTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "vm-6502/cpu/m6502.h"

struct forth_backtrace;

struct forth_backtrace *forth_backtrace_new(void); /* NULL: out of memory */
void forth_backtrace_free(struct forth_backtrace *b);

/* Makes a mark: keeps IP and the return stack above s, and forgets the source line kept before. */
void forth_backtrace_mark(struct forth_backtrace *b, const struct m6502 *m, uint8_t s);

/*
 * Keeps the line that is being interpreted, and its word: addresses and lengths in the guest's RAM.
 */
void forth_backtrace_source(struct forth_backtrace *b, const struct m6502 *m, uint16_t line,
			    unsigned length, uint16_t word, unsigned word_length);

/* Line number n of the report on the latest mark; NULL past the end. */
const char *forth_backtrace_line(struct forth_backtrace *b, struct m6502 *m, unsigned n);

#endif
