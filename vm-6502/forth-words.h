/* SPDX-License-Identifier: MIT */
/*
 * forth-words: the tree of calling contexts when nothing but words is profiled and nobody but
 *vm-6502 will look: small enough to be inlined into the loop of forth-next.h, where a whole Forth
 *word takes some nanoseconds. forth-profile makes zones of it at the end.
 *
 * A node is one path of words from the root. A path can be open once only, so what an open word
 *needs to be left is in its node, and the stack of open words is `now` and its parents.
 *
 *	now ---> fib       rise, back: of the activation that is open
 *		  | parent
 *		 fib       guess ---> the child that will be called next, most likely
 *		  |
 *		 bench
 *		  |
 *		 root      rise 0x100: S never is above it
 *
 * The guess is what followed the same call last time, so words that call the same words in the same
 * order are never searched for. Rejected: the child called last, which is wrong for most words; a
 *hash, which costs what a list of a few children costs.
 *
 * Time. The loop counts in one number, cycles left << 20 | NEXTs (forth-next-loop.h). What it went
 *down is added to `sum` as it is, and taken apart before the NEXTs can fill their 20 bits. All else
 *(guest code between two runs of the loop) is charged by forth_words_settle.
 *
 *	of now: cycles - sum's, since the words' cycles, nexts, over: what is charged to no node yet
 */
#ifndef VM_6502_FORTH_WORDS_H
#define VM_6502_FORTH_WORDS_H

#include "vm-6502/m6502.h"

enum { FORTH_WORDS_SHIFT = 20, FORTH_WORDS_MOST = 1 << 20 };

struct forth_words_node {
	uint32_t xt;   /* 0x10000: of no word any more */
	int32_t rise;  /* when S is above this, the return address has gone */
	uint32_t back; /* where that leads */
	uint32_t zone; /* the profile's; and of that, in the end, the node */
	uint32_t node;
	struct forth_words_node *parent;
	struct forth_words_node *guess; /* which child will be called next */
	struct forth_words_node *first; /* which one was called first, the last time */
	struct forth_words_node
	    *after; /* which one of the parent's was called after this, the last time */
	struct forth_words_node
	    *last; /* of the open activation: the child called last; NULL: none yet */
	int64_t sum;
	uint64_t calls;
	uint64_t cycles, nexts, over;          /* what was taken out of sum, or charged directly */
	struct forth_words_node *child, *next; /* the first child; the next of the same parent */
};

struct forth_words {
	struct forth_words_node *now;
	uint64_t cycles, nexts, over; /* up to here all is charged */
	uint64_t apart;               /* NEXTs when the sums were last taken apart */
	uint64_t lost;                /* calls that there was no room for */
	struct forth_words_chunk *chunks;
	uint32_t nodes;
	struct forth_words_node root, none;
};

void forth_words_init(struct forth_words *w, uint64_t cycles);
void forth_words_fini(struct forth_words *w);

/* What has gone since, outside of the loop, is charged to the word that runs. To be called before
 * the loop begins, and before everything below. */
void forth_words_settle(struct forth_words *w, uint64_t cycles, uint64_t nexts, uint64_t over);

/* The child of the running word for xt; NULL: there is none. */
struct forth_words_node *forth_words_find(struct forth_words *w, uint32_t xt);

/* Enters a word, by a node of its own if there is room for one. */
void forth_words_enter(struct forth_words *w, uint32_t xt, uint32_t zone, int rise, uint16_t back);
void forth_words_leave(struct forth_words *w);

/* Another word will be at xt. */
void forth_words_forget(struct forth_words *w, uint32_t xt);

/* Takes all sums apart. */
void forth_words_finish(struct forth_words *w);

/* All nodes but the root, parents before children. */
void forth_words_each(struct forth_words *w,
		      void (*visit)(void *context, struct forth_words_node *node), void *context);

/*
 * For the loop, which holds `now` and `since` in variables; since: the budget up to which all is
 * charged.
 */

static inline M6502_HOT void forth_words_charge(struct forth_words_node *now, int64_t *since,
						int64_t budget)
{
	now->sum += *since - budget;
	*since = budget;
}

static inline M6502_HOT void forth_words_expect(struct forth_words_node *caller,
						struct forth_words_node *callee)
{
	caller->guess = callee->after;
	caller->last = callee;
	callee->guess = callee->first;
	callee->last = NULL;
}

/* DOCOL or DODOES begins. False: only forth_words_enter can do it, and nothing has happened. */
static inline M6502_HOT bool forth_words_call(struct forth_words *w, struct forth_words_node **now,
					      int64_t *since, int64_t budget, uint32_t xt, size_t s,
					      uint32_t back)
{
	struct forth_words_node *caller = *now, *callee = caller->guess;

	if (__builtin_expect(callee->xt != xt, 0)) {
		w->now = caller;
		callee = forth_words_find(w, xt);
		if (!callee)
			return false;
	}
	forth_words_charge(caller, since, budget);
	forth_words_expect(caller, callee);
	callee->calls++;
	callee->rise = (int)s - 2;
	callee->back = back;
	*now = callee;
	return true;
}

/* S has risen above now->rise, and NEXT begins. False: this is no plain return, and nothing has
 * happened. */
static inline M6502_HOT bool forth_words_return(struct forth_words_node **now, int64_t *since,
						int64_t budget, size_t s, uint32_t ip)
{
	struct forth_words_node *callee = *now;

	if (__builtin_expect(ip != callee->back || (int)s > callee->parent->rise, 0))
		return false;
	forth_words_charge(callee, since, budget);
	*now = callee->parent;
	return true;
}

#endif
