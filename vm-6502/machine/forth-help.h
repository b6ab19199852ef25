/* SPDX-License-Identifier: MIT */
/*
 * forth-help: the text that the Forth shows about a word, and the user's editor for its source.
 *
 * For a word of the system, the text is a line of forth.help, which is made from the lists at the
 * heads of the sources. For a program's word, it is a line of such a list in the word's source; or,
 * without a list, it is taken from the definition and the comment above it:
 *
 *	\ The square of a number,			the first line of the comment above
 *	\ which may overflow.
 *	: square  ( n -- n*n ) dup * ;		square ( n -- n*n ) The square of a number,
 */
#ifndef VM_6502_FORTH_HELP_H
#define VM_6502_FORTH_HELP_H

#include "vm-6502/machine/machine-forth.h"

/* nt: where the word's header is. */
void forth_help_text(struct forth *f, uint16_t nt, char *text, size_t size);

/* Runs $VISUAL, $EDITOR or vi on the source of a word, at its line, and waits for its end. 0 or an
 * errno. */
int forth_help_edit(struct forth *f, uint16_t nt);

#endif
