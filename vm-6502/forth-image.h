/* SPDX-License-Identifier: MIT */
/*
 * forth-image: what the host may know of the Forth in a guest's memory: the list that next.s lays
 * down at a fixed place. It must stay in step with that list, and nothing else of the kernel may
 * be assumed here.
 *
 *	0203  "itc1"
 *	0207  next, ip, w            NEXT and the operands in it
 *	020d  docol, dodoes, exit    machine code
 *	0213  the first word list; then the addresses of cells:
 *	0215  voclink, files, dp, core end, buckets, metrics
 */
#ifndef VM_6502_FORTH_IMAGE_H
#define VM_6502_FORTH_IMAGE_H

#include "vm-6502/m6502.h"

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
};

/* False: what is in memory is no Forth of this kind. */
bool forth_image_find(struct forth_image *i, const struct m6502 *m);

#endif
