/* SPDX-License-Identifier: MIT */
/*
 * forth-words: the tree of calling contexts when nothing but words is profiled and nobody but
 * vm-6502 will look: small enough to be inlined into the loop of forth-next.h, where a whole
 * Forth word takes some nanoseconds. forth-profile makes zones of it at the end.
 *
 * A node is one path of words from the root. A path can be open once only, so what an open word
 * needs to be left is in its node, and the stack of open words is `now` and its parents.
 *
 *	now ---> fib       rise, back: of the activation that is open
 *		  | parent
 *		 fib       site ---> the child that was called from there last time
 *		  |
 *		 bench
 *		  |
 *		 root      rise 0x100: S never is above it
 *
 * A child is found by where it is called from, which is IP: there the same word is called each
 * time, but for EXECUTE and deferred words. Rejected: the child called last, which is wrong for
 * most words; the one that followed the same call last time, which takes three stores a call
 * more.
 *
 * Time. The loop counts in one number, cycles left << 20 | NEXTs (forth-next-loop.h). What that
 * went down since the beginning of the run is the tree's `time`, and an open word's node knows
 * what it was when it was entered. So only leaving adds up anything, and what a node has is of
 * its word with all it called. Before NEXTs can fill their 20 bits, forth_words_finish books what
 * is open and takes the sums apart. forth_words_settle brings the time up to date with what went
 * on outside of the loop.
 *
 *	time = cycles << 20, less NEXTs, modulo 2^64: differences of less than 2^20 NEXTs are exact
 *	own of a node = its own - its children's
 */
#ifndef VM_6502_FORTH_WORDS_H
#define VM_6502_FORTH_WORDS_H

#include "vm-6502/m6502.h"

enum { FORTH_WORDS_SHIFT = 20, FORTH_WORDS_MOST = 1 << 20, FORTH_WORDS_SITES = 8 };

struct forth_words_node {
	uint32_t xt;   /* 0x10000: of no word any more */
	int32_t rise;  /* when S is above this, the return address has gone */
	int32_t under; /* the caller's rise */
	uint32_t back; /* where that leads */
	uint32_t zone; /* the profile's; and of that, in the end, the node */
	uint32_t node;
	struct forth_words_node *parent;
	struct forth_words_node *site[FORTH_WORDS_SITES]; /* who was called from there last */
	uint64_t
	    start;    /* of the open activation: the time at which it was entered, or last booked */
	uint64_t sum; /* times of activations, booked and not yet taken apart */
	uint64_t calls;
	uint64_t cycles, nexts;                /* taken out of sum; callees included */
	uint64_t over;                         /* as forth_watch.over; its own */
	struct forth_words_node *child, *next; /* the first child; the next of the same parent */
};

struct forth_words {
	struct forth_words_node *now;
	uint64_t time;
	uint64_t cycles, nexts, over; /* up to where the time goes */
	uint64_t apart;               /* NEXTs when the sums were last taken apart */
	uint64_t lost;                /* calls that there was no room for */
	struct forth_words_chunk *chunks;
	uint32_t nodes;
	struct forth_words_node root, none;
};

void forth_words_init(struct forth_words *w, uint64_t cycles);
void forth_words_fini(struct forth_words *w);

/* Time goes on outside of the loop. To be called before the loop begins, and before everything
 * below. */
void forth_words_settle(struct forth_words *w, uint64_t cycles, uint64_t nexts, uint64_t over);

/* The child of a node for xt; NULL: there is none. */
struct forth_words_node *forth_words_find(const struct forth_words_node *caller, uint32_t xt);

/* Enters a word, by a node of its own if there is room for one. */
void forth_words_enter(struct forth_words *w, uint32_t xt, uint32_t zone, int rise, uint16_t back);
void forth_words_leave(struct forth_words *w);

/* Another word will be at xt. */
void forth_words_forget(struct forth_words *w, uint32_t xt);

/* Books what is open, and takes all sums apart. */
void forth_words_finish(struct forth_words *w);

/* All nodes but the root, parents before children. */
void forth_words_each(struct forth_words *w,
		      void (*visit)(void *context, struct forth_words_node *node), void *context);

/* For the loop: DOCOL or DODOES begins. False: only forth_words_enter can do it, and nothing has
 * happened. */
static inline M6502_HOT bool forth_words_call(struct forth_words_node **now, int *rise,
					      uint64_t time, uint32_t xt, size_t s, uint32_t back)
{
	struct forth_words_node *caller = *now;
	struct forth_words_node *callee = caller->site[back / 2 % FORTH_WORDS_SITES];

	if (__builtin_expect(callee->xt != xt, 0)) {
		callee = forth_words_find(caller, xt);
		if (!callee)
			return false;
		caller->site[back / 2 % FORTH_WORDS_SITES] = callee;
	}
	callee->start = time;
	callee->calls++;
	callee->under = caller->rise;
	*rise = callee->rise = (int)s - 2;
	callee->back = back;
	*now = callee;
	return true;
}

/* For the loop: S has risen above now->rise, and NEXT begins. False: this is no plain return, and
 * nothing has happened. */
static inline M6502_HOT bool forth_words_return(struct forth_words_node **now, int *rise,
						uint64_t time, size_t s, uint32_t ip)
{
	struct forth_words_node *callee = *now;

	if (__builtin_expect(ip != callee->back || (int)s > callee->under, 0))
		return false;
	callee->sum += time - callee->start;
	*rise = callee->under;
	*now = callee->parent;
	return true;
}

#endif
