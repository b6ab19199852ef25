/* SPDX-License-Identifier: MIT */
/*
 * forth-lend: what the tree of words (forth-words.h) tells zprof, which has a tree like it: where
 * the guest is, when zprof asks, and ten times a second how much has been counted since.
 *
 *	told of a node    calls: those that paths have entered there, and those handed over
 *	                  the others: handed over
 *	to be told        what the node has, less that
 *
 * The cycles that NEXT takes are a context of their own below each word's.
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
	bool recorded;                  /* there was no pause at the latest look */
	uint32_t looks;                 /* looks since counts were handed over */
	struct forth_lend_told *told;   /* [room]; [0] is the root's */
	struct zprof_counted *context;  /* [2 * room]: a node's at 2 * i, its NEXT's behind it */
	uint32_t told_room, context_room;
	uint32_t path[FORTH_LEND_DEEPEST];
	struct forth_words_node *node[FORTH_LEND_DEEPEST]; /* of the path */
};

/* All is borrowed. False: zprof wants each word by itself. */
bool forth_lend_init(struct forth_lend *l, struct forth_words *words, struct contexts *zones,
		     struct zprof_asking *asking);
void forth_lend_fini(struct forth_lend *l);

/*
 * The words are about to change, since zprof asks; or a compiled function is about to be called.
 * The time of the words must have been settled.
 */
void forth_lend_place(struct forth_lend *l);

/* All words have been left, and their sums taken apart. */
void forth_lend_finish(struct forth_lend *l);

#endif
