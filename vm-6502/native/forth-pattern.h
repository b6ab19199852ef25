/* SPDX-License-Identifier: MIT */
/*
 * forth-pattern: compares machine code with a text, a *pattern*, which is written like the kernel's
 * source, so that the two can be read side by side. It must never accept any other code.
 *
 *	"lda 1,x bmi @go jmp next @go: sec lda #0 sbc 0,x …"
 *
 * Labels stand for whatever address the code has there. After a JMP, an RTS or a `;` the
 * code ends. What follows is looked for where the branches and jumps to its label lead; a label in
 * the middle of code must lie where the pattern has it. A label that is not defined may be
 * anywhere, and may be indexed.
 *
 * Operands: decimal and $ numbers, ip, w, N, XSAVE, LP, next, next_go (forth-next.h), dp (the
 * cell of forth-image.h), each with +number. `a:` forces an absolute address, as in ca65.
 */
#ifndef VM_6502_FORTH_PATTERN_H
#define VM_6502_FORTH_PATTERN_H

#include "vm-6502/guest/forth-image.h"

enum { PATTERN_MOST = 256, PATTERN_LABELS = 24, PATTERN_BRANCHES = 16 };

/* token: a byte, or one of these with the number of a label. */
enum {
	PATTERN_BRANCH = 0x100, /* the byte that leads to the label */
	PATTERN_WORD = 0x200,   /* the two bytes of its address */
	PATTERN_LABEL = 0x300,  /* the label itself */
	PATTERN_END = 0x400,    /* the code goes on elsewhere */
};

struct forth_pattern {
	uint16_t token[PATTERN_MOST];
	int tokens;
};

struct forth_match {
	uint16_t at[PATTERN_MOST]; /* all bytes of the code */
	int bytes;
	size_t cross[PATTERN_BRANCHES]; /* by branch: 1 if it leads into another page */
};

/* False: the text is wrong. */
bool forth_pattern_read(struct forth_pattern *p, const char *text, const struct forth_image *image);

/* Whether the code lies at an address. */
bool forth_pattern_match(const struct forth_pattern *p, const struct m6502 *m, uint16_t at,
			 struct forth_match *match);

#endif
