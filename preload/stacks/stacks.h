/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - the stacks a process is known to have, and which of them holds an address.
 *
 * A program may have thousands (coroutines), and an address is looked for at every switch. Stacks
 * come in all sizes, and one may be carved out of another. So each is filed by its size, rounded up
 * to a power of two, under the blocks of that size that it touches (two at most):
 *
 *     64 KiB blocks   |    block 7    |    block 8    |
 *     a stack               [=================]         64 KiB class: under (16, 7) and (16, 8)
 *     another, carved out        [===]                  8 KiB class: under (13, its own block)
 *
 * To look for an address is to ask, for each size in use, the smallest first, for the block that
 * holds it: one or two places of a hash, whatever the number of stacks.
 *
 * Nothing here waits, except for a stack's own lock, and not long for that. A place in the table
 * comes from a list of free ones and carries a serial number. What is filed names both, so what is
 * filed of a stack that is gone is known to be void, and the next entry overwrites it.
 */
#ifndef ZPROF_STACKS_H
#define ZPROF_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#define STACKS_MAX 65536u

struct lineage;
struct process;
struct zprof_node;

/*
 * An open zone of a stack that is put aside, with what its node's twin says of the frame it runs
 * in: the same context may be open on another stack meanwhile, in a frame of another kind.
 */
struct parked {
	uintptr_t cfa;
	struct zprof_node *node;
	uintptr_t ret;
	uint32_t rule, host;
};

struct stack {
	uintptr_t low, bytes;    /* bytes 0: not in use */
	uint32_t lock;           /* the thread that holds it; 0: none */
	uint32_t serial;         /* changes when the place is given to another stack */
	uint32_t next_free;      /* of a free place: the next free one, + 1; 0: none */
	struct lineage *running; /* whose track holds its frames; NULL: they are put aside here */
	struct lineage *owner;   /* whose tree has the nodes of `frames` */
	struct parked *frames;
	uint32_t count, room;
	uint32_t slept;       /* as in struct track, when `frames` were put aside ... */
	uint32_t chosen;      /* ... and so is this */
	uint32_t arrays;      /* how many other stacks are arrays in its frames (arrays.h) */
	struct stack *around; /* it is an array in a frame of that stack; NULL: it is not */
	uint32_t around_serial;
	/* The array is gone when this zone is not open any more in the frame with this CFA. */
	uintptr_t owner_cfa;
	uint64_t owner_zone;
};

struct stacks {
	struct stack *table;
	uint32_t count;  /* places that were ever handed out */
	uint64_t free;   /* first free place + 1, below a number that changes each time */
	uint64_t *filed; /* serial << 32 | place + 1; 0: empty */
	uint64_t sizes;  /* bit n: a stack of up to 2^n bytes has been filed */
};

/* A forked child has the stacks its parent had. False: no memory. */
bool stacks_init(struct process *p, const struct process *from);

static inline bool stack_holds(const struct stack *s, uintptr_t address)
{
	return address - s->low < s->bytes;
}

/*
 * The smallest known stack around an address, or NULL: one carved out of another's memory is the
 * one that is meant.
 */
struct stack *stacks_find(const struct process *p, uintptr_t address);

/* One that begins in [low, low + bytes) and is no larger, or NULL. */
struct stack *stacks_within(const struct process *p, uintptr_t low, uintptr_t bytes);

/* NULL: there is no room for more. */
struct stack *stacks_add(struct process *p, uintptr_t low, uintptr_t bytes);

/* Its lock is held, and it has no frames any more; or its lock cannot be had. */
void stacks_remove(struct process *p, struct stack *s);

/*
 * Keeps two threads apart. It is held while a few frames are copied. A thread that has ended, or
 * was left by a jump out of a signal handler, holds it no more. False: another thread has held it
 * for a tenth of a second. It may never go on (after a jump it may have no more events), so the
 * caller goes on without what is put aside here, and no thread waits for it again.
 */
bool stacks_lock(struct stack *s);
void stacks_unlock(struct stack *s);

#endif
