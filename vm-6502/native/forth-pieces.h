/* SPDX-License-Identifier: MIT */
/*
 * forth-pieces: how often each cell of the Forth's threads was run, and the cycles from there to
 * the next NEXT, counted within the loop of forth-next.h, in the contexts of forth-words.h or in
 * all together.
 *
 *	node of a context ---> piece [from, from + size)    a sum for each address in it
 *	                         | next
 *	                       piece                        the word has jumped elsewhere
 *
 * The time of forth-words.h, which is cycles << 20 less NEXTs, goes to the sum of the cell that
 * runs when the next one begins. So a sum holds runs as well, and is split before they overflow.
 *
 * A cell that calls a word ends where DOCOL or DODOES begins, if its piece keeps that apart: what
 * they take is in a second sum, `apart` further on.
 */
#ifndef VM_6502_FORTH_PIECES_H
#define VM_6502_FORTH_PIECES_H

#include "vm-6502/cpu/m6502.h"

enum { FORTH_TIME_SHIFT = 20 };

struct forth_cell_count {
	uint64_t runs, cycles;
};

struct forth_piece {
	void *owner;
	size_t from, size;
	size_t apart;                   /* size, or 0 */
	uint8_t *thread;                /* [size + 1], a copy made with the piece; NULL: not kept */
	struct forth_piece *next;       /* the context's next piece */
	struct forth_piece *older;      /* the one made before, of all contexts */
	struct forth_cell_count *count; /* by sum: what was taken out of it */
	uint32_t *zone;                 /* [size], for the owner; NULL: not yet known */
	uint64_t sum[];                 /* [size + apart] */
};

struct forth_pieces {
	uint64_t *now;  /* the sum of the cell that runs */
	size_t apart;   /* what the cell calls is charged to now[apart] */
	uint64_t since; /* the cell is charged up to this time */
	uint64_t lost;  /* NEXTs for which there was no memory */
	struct forth_piece *all;
	struct forth_piece *first; /* the first piece of a new context */
	uint64_t no_cell;
	struct forth_piece nowhere; /* of size 0 */
};

/* by_context: each context has its own pieces, with what they call apart. False: out of memory. */
bool forth_pieces_init(struct forth_pieces *p, bool by_context);
void forth_pieces_fini(struct forth_pieces *p);

/* NEXT begins at ip. False: no piece of the context holds ip, and forth_pieces_add() must be
 * called. */
bool forth_pieces_next(struct forth_pieces *p, struct forth_piece **context, uint64_t time,
		       size_t ip);

/* Adds the piece that forth_pieces_next() did not find; without memory that NEXT is counted as
 * lost. owner: the node of the context. */
void forth_pieces_add(struct forth_pieces *p, struct forth_piece **context, void *owner,
		      const struct m6502 *m, size_t ip, size_t from, size_t end);

/* DOCOL or DODOES begins. */
void forth_pieces_call(struct forth_pieces *p, uint64_t time);

/* Takes all sums apart. */
void forth_pieces_finish(struct forth_pieces *p, uint64_t time);

static inline M6502_HOT void forth_time_take_apart(uint64_t *sum, uint64_t *cycles, uint64_t *nexts)
{
	uint64_t whole = (*sum + (1 << FORTH_TIME_SHIFT) - 1) >> FORTH_TIME_SHIFT;

	*cycles += whole;
	*nexts += (whole << FORTH_TIME_SHIFT) - *sum;
	*sum = 0;
}

#endif
