/* SPDX-License-Identifier: MIT */
/*
 * forth-image: addresses in the Forth in a guest's memory, which the host needs.
 *
 * Our Forth has a list of these addresses at a fixed place (next.s). This file must stay in step
 * with that list, and must assume nothing else of the kernel.
 *
 *	0203  "itc1"
 *	0207  next, ip, w            NEXT and the operands in it
 *	020d  docol, dodoes, exit    machine code
 *	0213  the first word list; then the addresses of cells:
 *	0215  voclink, files, dp, core end, buckets, metrics
 *
 * For another Forth, the command line or a preset gives the addresses (`other` is set); then the
 * addresses of cells are all 0.
 */
#ifndef VM_6502_FORTH_IMAGE_H
#define VM_6502_FORTH_IMAGE_H

#include "vm-6502/cpu/m6502.h"

struct forth_image {
	uint16_t next, ip, w;
	uint16_t docol, dodoes;
	uint16_t exit;    /* the token, not its code */
	uint16_t forth;   /* a word list: nt of its newest word, link to the next list */
	uint16_t voclink; /* cell: the newest word list */
	uint16_t files;   /* cell: the newest record of a source file */
	uint16_t dp;      /* cell: HERE */
	uint16_t core;    /* cell: the end of the Forth core */
	uint16_t buckets; /* cell: the newest bucket */
	uint16_t metrics; /* cell: the newest metric */

	/* For another Forth only: */
	bool other;
	bool direct;       /* direct-threaded: NEXT jumps to the code field itself */
	uint16_t rp;       /* zero page: the pointer of the return stack; 0: S is the pointer */
	uint16_t unnest;   /* a second token that ends a thread; 0: there is none */
	uint16_t core_end; /* where the words of the core end */
	long patched;      /* address of a byte: while it differs from its first value, the guest's
			      own profiler is running; -1: there is no such byte */
	long stamp;        /* address of a cell: when it runs, the guest takes a stamp; -1: none */
	int stamp_after;   /* the stamp is taken so many NEXTs after the cell has run */
};

/* False: memory does not hold a Forth of this kind. */
bool forth_image_find(struct forth_image *i, const struct m6502 *m);

/* The present end of the core. */
uint16_t forth_image_core_end(const struct forth_image *i, const struct m6502 *m);

/* The value of the return stack's pointer. */
static inline M6502_HOT int forth_image_rp(const struct forth_image *i, const struct m6502 *m)
{
	return i->rp ? m6502_peek16(m, i->rp) : m->s;
}

/* Whether the word at xt has a thread: a colon definition, or a child of DOES>. */
bool forth_image_is_thread(const struct forth_image *i, const struct m6502 *m, uint16_t xt);

#endif
