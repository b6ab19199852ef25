/* SPDX-License-Identifier: MIT */
/*
 * forth-words: the tree of calling contexts when only words are profiled. Its functions are small
 * enough to be inlined into the loop of forth-next.h, where a whole Forth word takes some
 * nanoseconds. forth-lend tells zprof of the tree.
 *
 * A node is one path of words from the root. A path can be open only once. So the values that are
 * needed to leave an open word are in its node, and `now` and its parents are the stack of open
 * words.
 *
 *	now ---> fib       rise, back: of the activation that is open
 *		  | parent
 *		 fib       site ---> the child that was called from there last time
 *		  |
 *		 bench
 *		  |
 *		 root      rise 0x100: S never is above it
 *
 * A child is found by IP, the place of the call: except for EXECUTE and deferred words, one place
 * always calls the same word. Rejected: trying the child called last, which is wrong for most
 * words; trying the child that followed the same call last time, which takes three more stores per
 * call.
 *
 * Time. The loop counts in one number, cycles left << 20 | NEXTs (forth-next-loop.h). The tree's
 * `time` is how far this number has gone down since the run began. The time in which a word was
 * open is added to its node's sum, so a sum includes the word's callees. Before NEXTs can fill
 * their 20 bits, forth_words_finish takes the sums apart, for open words with their time so far.
 * forth_words_settle adds time that passed outside of the loop.
 *
 *	time = cycles << 20, less NEXTs, modulo 2^64: differences of less than 2^20 NEXTs are exact
 *	self of a node = the node's sum - its children's sums
 */
#ifndef VM_6502_FORTH_WORDS_H
#define VM_6502_FORTH_WORDS_H

#include "vm-6502/native/forth-sums.h"

enum { FORTH_WORDS_MOST = 1 << 20, FORTH_WORDS_SITES = 8 };

struct forth_words_node {
	uint32_t xt;     /* 0x10000: the word is gone */
	int32_t rise;    /* when S is above this, the return address has gone */
	size_t back;     /* where the return address leads */
	uint32_t zone;   /* the profile's */
	uint32_t number; /* its own, from 1 in the order of creation; the root's is 0 */
	struct forth_words_node *parent;
	struct forth_words_node *site[FORTH_WORDS_SITES]; /* the child last called from there */
	uint64_t began; /* the time when it was entered, or when sums were taken apart */
	uint64_t sum;   /* times of activations, not yet taken apart */
	uint64_t calls;
	uint64_t cycles, nexts;                /* taken out of sum; callees included */
	uint64_t over;                         /* as forth_watch.over, without callees */
	struct forth_words_node *child, *next; /* the first child; the next of the same parent */
};

struct forth_words {
	struct forth_words_node *now;
	uint64_t time;
	uint64_t cycles, nexts, over; /* as they were at `time` */
	uint64_t apart;               /* NEXTs when the sums were last taken apart */
	uint64_t lost;                /* calls for which there was no room */
	struct forth_words_chunk *chunks;
	uint32_t nodes;
	struct forth_words_node root, none;
	struct forth_sums
	    *sums; /* if it is not NULL, cells are counted there, and no words are entered */
};

/* sums is borrowed, and may be NULL. */
void forth_words_init(struct forth_words *w, uint64_t cycles, struct forth_sums *sums);
void forth_words_fini(struct forth_words *w);

/* Adds the time that passed outside of the loop. To be called before the loop begins, and before
 * any function below. */
void forth_words_settle(struct forth_words *w, uint64_t cycles, uint64_t nexts, uint64_t over);

/* Enters a word, by a node of its own if there is room for one. */
void forth_words_enter(struct forth_words *w, uint32_t xt, uint32_t zone, int rise, uint16_t back);
void forth_words_leave(struct forth_words *w);

/* Forgets the word at xt, because another word will be there. */
void forth_words_forget(struct forth_words *w, uint32_t xt);

/* Takes all sums apart, with what open words have so far. */
void forth_words_finish(struct forth_words *w);

/* All nodes but the root, parents before children. */
void forth_words_each(struct forth_words *w,
		      void (*visit)(void *context, struct forth_words_node *node), void *context);

/* The child of a node for xt; NULL: there is none. Inline, since a call would cost the loop
 * registers. */
static inline M6502_HOT struct forth_words_node *
forth_words_find(const struct forth_words_node *caller, uint32_t xt)
{
	struct forth_words_node *n = caller->child;

	while (n && n->xt != xt)
		n = n->next;
	return n;
}

/* The functions from here on are for the loop, which holds `now` and the time in variables. */

/* The child last called from `back`, if it is for xt; else NULL. */
static inline M6502_HOT struct forth_words_node *
forth_words_callee(const struct forth_words_node *caller, uint32_t xt, size_t back)
{
	struct forth_words_node *callee = caller->site[back % (2 * FORTH_WORDS_SITES) / 2];

	return __builtin_expect(callee->xt == xt, 1) ? callee : NULL;
}

/* Makes the child for xt the one last called from `back`. False: there is no child for xt. */
static inline M6502_HOT bool forth_words_recall(struct forth_words_node *caller, uint32_t xt,
						size_t back)
{
	struct forth_words_node *callee = forth_words_find(caller, xt);

	if (callee)
		caller->site[back % (2 * FORTH_WORDS_SITES) / 2] = callee;
	return callee;
}

/* Enters a word, when DOCOL or DODOES begins. */
static inline M6502_HOT void forth_words_call(struct forth_words_node **now,
					      struct forth_words_node *callee, uint64_t time,
					      size_t s, size_t back)
{
	callee->began = time;
	callee->calls++;
	callee->rise = (int)s - 2;
	callee->back = back;
	*now = callee;
}

/* Leaves the word if it has returned, when NEXT begins and S may have risen. False: this is not a
 * plain return, and nothing has changed. */
static inline M6502_HOT bool forth_words_return(struct forth_words_node **now, uint64_t time,
						size_t s, size_t ip)
{
	struct forth_words_node *callee = *now;

	if ((int)s - 2 != callee->rise || ip != callee->back)
		return false;
	callee->sum += time - callee->began;
	*now = callee->parent;
	return true;
}

#endif
