/* SPDX-License-Identifier: MIT */
/*
 * forth-profile-inside: the state of a profile of words and buckets, for the files that it is made
 * of:
 *
 *	forth-profile.c   events: NEXTs, calls, definitions, the guest's own measuring
 *	forth-open.c      which words are open, and the zones that stand on top of them
 *	forth-lend.c      tells zprof of the tree of words
 */
#ifndef VM_6502_FORTH_PROFILE_INSIDE_H
#define VM_6502_FORTH_PROFILE_INSIDE_H

#include <stdio.h>

#include "vm-6502/profile/forth-profile.h"

#include "vm-6502/guest/forth-cell.h"
#include "vm-6502/machine/machine-forth.h"
#include "vm-6502/native/forth-next.h"
#include "vm-6502/native/forth-words.h"
#include "vm-6502/profile/forth-any.h"
#include "vm-6502/profile/forth-lend.h"
#include "vm-6502/profile/forth-window.h"

enum { FORTH_OPEN_NEVER = 0x10000, FORTH_OPEN_MOST = 1024, FORTH_OPEN_TASKS = 16 };

/* A bucket of the guest's that waits for its end. */
struct bucket_end {
	struct forth_cell cell;
	struct bucket_end *older;
};

struct open_word {
	int rise; /* when the return stack's pointer is above this, the return address has gone */
	uint16_t back; /* where the return address leads */
	uint16_t xt;
};

/* A return stack that a multitasker has left: its pointer at that time, and its open words. */
struct task {
	int rp;
	int depth;
	struct open_word open[FORTH_OPEN_MOST];
};

struct forth_profile {
	struct forth_watch watch; /* the first member: its functions get a pointer to it */
	struct m6502 *m;
	struct forth *forth;   /* NULL: the guest is another Forth */
	struct forth_any *any; /* NULL: the guest is our Forth */
	struct task *task[FORTH_OPEN_TASKS];
	int tasks;
	unsigned next_cycles; /* of each NEXT, without what watch.over counts */
	int no_rise;          /* a watch.rise that no return stack is above */
	struct forth_profile_options options;
	struct forth_image image;
	struct forth_names *names;
	struct forth_buckets *buckets;
	struct forth_window window;
	struct forth_cell bucket_list, metric_list;
	struct contexts *zones;
	struct contexts_clock clock;
	bool tree;  /* words are in `words` until the end; false: in zones from the beginning */
	bool lends; /* `lend` tells zprof of the tree */
	struct forth_words words;
	struct forth_lend lend;
	struct forth_sums *sums; /* counts cells; NULL: none are counted */
	FILE *trace;
	struct bucket_end *ends;
	bool every;          /* each NEXT is looked at */
	bool stale;          /* the guest has changed buckets, so the zones on top must change */
	bool loose;          /* the innermost word goes on, although its return address is gone */
	bool leaf, inner;    /* a bucket's zone, a primitive's zone is on top */
	uint64_t last_cycle; /* of the NEXT before */
	int depth;
	struct open_word open[FORTH_OPEN_MOST];
	uint8_t ask_always[0x10000];
	uint32_t zone[0x10000]; /* of the word at an xt; 0: none yet */
};

/* Sets the clock to now, when `nexts` have begun and their own cycles have passed. */
void forth_profile_set_clock(struct forth_profile *p, uint64_t nexts);

/* The zone of the word at xt, which is made if there is none. */
uint32_t forth_open_word_zone(struct forth_profile *p, uint16_t xt);

/* Leaves, or enters, the zones above the words: the primitive (-1: none), and on it the bucket. */
void forth_open_leave_top(struct forth_profile *p);
void forth_open_enter_top(struct forth_profile *p, long primitive);

/* The innermost open word (below 0), or the one below it (1); if there is none, a word that is
 * never left. */
static inline struct open_word forth_open_word(const struct forth_profile *p, int below)
{
	const struct forth_words_node *n = p->words.now;

	if (!p->tree && below >= p->depth)
		return (struct open_word){.rise = FORTH_OPEN_NEVER};
	if (!p->tree)
		return p->open[p->depth - 1 - below];
	if (below)
		n = n->parent;
	return (struct open_word){.rise = n->rise, .back = n->back, .xt = n->xt};
}

void forth_open_push(struct forth_profile *p, uint16_t xt, int rise, uint16_t back);

/* Whether the return address of the innermost word has gone, or of the one below it. */
static inline bool forth_open_risen(const struct forth_profile *p, int below)
{
	return forth_image_rp(&p->image, p->m) > forth_open_word(p, below).rise;
}

/* Leaves the words that have returned, when the cell at ip runs next. Leaves all words. */
void forth_open_leave_risen(struct forth_profile *p, uint16_t ip);
void forth_open_leave_all(struct forth_profile *p);

/* A return stack is left, which had pointer rp; a return stack is come to. Without memory the open
 * words are forgotten, and the root is charged. */
void forth_open_save(struct forth_profile *p, int rp);
void forth_open_restore(struct forth_profile *p, int rp);

#endif
