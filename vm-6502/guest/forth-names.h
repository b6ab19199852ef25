/* SPDX-License-Identifier: MIT */
/*
 * forth-names: what the Forth words in a guest's memory are called, and where they were defined.
 * All of it is read from their headers, those of the assembled kernel too, so no list
 * has to be loaded.
 *
 *	[link 2][line 2][file 1][flags, length 1][name][code field 2][body]
 *	 nt                                             xt
 *
 * The index is from xt to nt. It is made once by a walk through all word lists, and kept up to
 * date by watching the variable LAST-XT, which every defining word sets when the header is
 * complete: so a word is known before it can run, and one that replaces a forgotten word is not
 * taken for it.
 */
#ifndef VM_6502_FORTH_NAMES_H
#define VM_6502_FORTH_NAMES_H

#include "vm-6502/guest/forth-image.h"
#include "vm-6502/guest/symbols.h"

/* Headers of another Forth are those of volksForth, which has no list of all words at a fixed
 * place:
 *
 *	[view 2][link 2][flags, length 1][name][code field 2][body]
 *	 nt                                     xt
 *
 * They are looked for in the image once, and at each word that is run later (forth_names_note). A
 * word without one is named by its address, `$8C41`.
 */
struct forth_names;

struct forth_word {
	char name[80];
	char file[256]; /* "": unknown */
	unsigned line;
};

/* defined: called with the xt of each word that is defined from now on, before it has a body.
 * symbols: names for what has no header; may be NULL. NULL: out of memory. */
struct forth_names *forth_names_new(struct m6502 *m, const struct forth_image *image,
				    const struct symbols *symbols,
				    void (*defined)(void *context, uint16_t xt), void *context);
void forth_names_free(struct forth_names *n);

/* What is at xt, never fails: a nameless word is `:noname`, something in the middle of a word
 * `word+6`, and the rest is four digits. */
void forth_names_word(const struct forth_names *n, uint16_t xt, struct forth_word *word);

/* Another Forth's word at xt is being run; if it is new, its name is looked up and it is reported as
 * defined.
 */
void forth_names_note(struct forth_names *n, uint16_t xt);

/* Whether a word begins at xt. */
bool forth_names_begins(const struct forth_names *n, uint16_t xt);

/* Whether two addresses are in the same definition. */
bool forth_names_same(const struct forth_names *n, uint16_t a, uint16_t b);

/* The xt of the definition that `at` is in; -1: none begins before it. */
long forth_names_within(const struct forth_names *n, uint16_t at);

/* Where the definition of xt begins: its header, or xt itself. */
uint16_t forth_names_start(const struct forth_names *n, uint16_t xt);

/* The name of the header at nt, or "" for 0. */
void forth_names_header(const struct forth_names *n, uint16_t nt, char name[32]);

/* The xt of a word, of the newest if there are several; -1: there is none. */
long forth_names_find(const struct forth_names *n, const char *name);

/* The name of a source file by its number in headers; "" when it has none. */
void forth_names_file(const struct forth_names *n, uint8_t number, char name[256]);

#endif
