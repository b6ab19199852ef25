/* SPDX-License-Identifier: MIT */
/*
 * forth-names: the names of the Forth words in a guest's memory, and the places where they were
 * defined. Both are read from the words' headers, which words of the assembled kernel have too, so
 * no list has to be loaded.
 *
 *	[link 2][line 2][file 1][flags, length 1][name][code field 2][body]
 *	 nt                                             xt
 *
 * An index leads from xt to nt. It is made once by a walk through all word lists, and kept up to
 * date by watching the variable LAST-XT, which every defining word sets when the header is
 * complete. So a word is known before it can run, and a new word in the place of a forgotten one
 * has its own name.
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
 * These headers are looked for in the image once, and at each word that runs later
 * (forth_names_note). A word without a header is named by its address, `$8C41`.
 */
struct forth_names;

struct forth_word {
	char name[80];
	char file[256]; /* "": unknown */
	unsigned line;
};

/* defined: called with the xt of each word that is defined from now on, before it has a body.
 * symbols: names for words without a header; may be NULL. NULL: out of memory. */
struct forth_names *forth_names_new(struct m6502 *m, const struct forth_image *image,
				    const struct symbols *symbols,
				    void (*defined)(void *context, uint16_t xt), void *context);
void forth_names_free(struct forth_names *n);

/* Fills in the word at xt. This never fails: a word without a name is `:noname`, an address in the
 * middle of a word `word+6`, any other address four digits. */
void forth_names_word(const struct forth_names *n, uint16_t xt, struct forth_word *word);

/* To be called when another Forth's word at xt runs. If the word is new, its name is looked up, and
 * `defined` is called.
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
