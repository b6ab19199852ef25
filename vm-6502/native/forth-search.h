/* SPDX-License-Identifier: MIT */
/*
 * forth-search: predicts the result of FIND-NAME's machine code (text.s) in the guest's word lists,
 * and its cycles. Interpreting and compiling spend most of their time in FIND-NAME. Nothing is
 * written here; the handler in forth-native.def writes all bytes that the code would have changed.
 */
#ifndef VM_6502_FORTH_SEARCH_H
#define VM_6502_FORTH_SEARCH_H

#include "vm-6502/cpu/m6502.h"

enum { FORTH_SEARCH_NAME = 31 };

struct forth_search {
	uint16_t code;       /* of FIND-NAME */
	uint16_t name, size; /* in: the string */
	const size_t *cross; /* in: of the pattern's match */
	uint64_t most;       /* in: cycles that it may take */

	bool found;
	uint16_t at;       /* the header found, or else the last one looked at */
	uint16_t compared; /* the last header with a name of that size, plus 5; 0: none */
	uint8_t lists;     /* word lists searched */
	uint8_t key[FORTH_SEARCH_NAME + 1];
	uint16_t key_at; /* where the code keeps `key` */
	uint16_t upper;  /* return addresses that the code leaves below the top of the stack */
	uint16_t search;
	uint64_t cycles;
};

/* False: the outcome can't be predicted, or it takes too long. */
bool forth_search(struct forth_search *f, const struct m6502 *m);

#endif
