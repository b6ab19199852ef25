/* SPDX-License-Identifier: MIT */
/*
 * forth-lend: tells zprof of the tree of words (forth-words.h). zprof has a tree like it. It learns
 * the guest's open words when it asks (a path, zprof.h), and the counts ten times a second.
 *
 *	told of a node    calls: those that paths have entered, and those handed over
 *	                  cycles and NEXTs: those handed over
 *	to be told        the node's numbers, less those told
 *
 * The cycles of NEXT itself are a context of their own below each word's.
 */
#ifndef VM_6502_FORTH_LEND_H
#define VM_6502_FORTH_LEND_H

#include "preload/zprof.h"
#include "vm-6502/native/forth-words.h"
#include "vm-6502/profile/contexts.h"

enum { FORTH_LEND_DEEPEST = 1024 };

struct forth_lend {
	struct forth_words *words;
	struct contexts *zones;
	struct zprof_asking *asking;
	struct forth_words_node *place; /* where the latest path ends */
	bool recorded;                  /* zprof was recording at its latest question */
	uint32_t looks;                 /* questions since counts were handed over */
	struct forth_lend_told *told;   /* [room]; [0] is the root's */
	struct zprof_counted *context;  /* [2 * room]: a node's at 2 * i, its NEXT's behind it */
	uint32_t told_room, context_room;
	uint32_t path[FORTH_LEND_DEEPEST];
	struct forth_words_node *node[FORTH_LEND_DEEPEST]; /* of the path */
};

/* All arguments are borrowed. False: zprof wants each word to be entered and left one by one. */
bool forth_lend_init(struct forth_lend *l, struct forth_words *words, struct contexts *zones,
		     struct zprof_asking *asking);
void forth_lend_fini(struct forth_lend *l);

/*
 * Tells zprof the open words. Called when zprof asks, before a word is entered or left; or before a
 * compiled function is called. The words' time must have been settled (forth_words_settle).
 */
void forth_lend_place(struct forth_lend *l);

/* Hands over all counts at the end, when all words have been left and their sums taken apart. */
void forth_lend_finish(struct forth_lend *l);

#endif
