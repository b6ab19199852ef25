/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - the stacks a process is known to have, and which of them holds an address.
 *
 * A program may have thousands of stacks (coroutines), and at every switch the stack around an
 * address is looked up. Stacks come in all sizes, and one may be carved out of another. So each is
 * filed in a hash by its size, rounded up to a power of two, and by the number of each block of
 * that size that it touches (two at most):
 *
 *     64 KiB blocks   |    block 7    |    block 8    |
 *     a stack               [=================]         64 KiB class: under (16, 7) and (16, 8)
 *     another, carved out        [===]                  8 KiB class: under (13, its own block)
 *
 * To find the stack around an address, each size in use is tried, the smallest first, with the
 * block that holds the address: one or two places of the hash, whatever the number of stacks.
 *
 * Nothing here waits, except for a stack's own lock, and then not long. A place in the table comes
 * from a list of free places, and has a serial number that changes when a stack is removed. An
 * entry of the hash names both place and serial number. So an entry of a removed stack is
 * recognised, and the next new entry overwrites it.
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
 * An open zone of a stack that is put aside. ret, rule and host are copied from its node's twin:
 * meanwhile the same context may be open on another stack, where the twin gets other values.
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
	uint32_t serial;         /* changes when this place is given to another stack */
	uint32_t next_free;      /* of a free place: the next free one, + 1; 0: none */
	struct lineage *running; /* its track holds the frames; NULL: they are put aside here */
	struct lineage *owner;   /* its tree has the nodes of `frames` */
	struct parked *frames;
	uint32_t count, room;
	uint32_t slept; /* both copied from the track when `frames` were put aside */
	uint32_t chosen;
	bool shared;          /* a thread had events on it after another had taken its zones */
	uint32_t arrays;      /* how many other stacks are arrays in its frames (arrays.h) */
	struct stack *around; /* this stack is an array in a frame of `around`; NULL: it is not */
	uint32_t around_serial;
	/* An array is gone when this zone is no longer open in the frame with this CFA. */
	uintptr_t owner_cfa;
	uint64_t owner_zone;
};

struct stacks {
	struct stack *table;
	uint32_t count;  /* places that were ever handed out */
	uint64_t free;   /* low half: first free place + 1; high half: counts changes of the list */
	uint64_t *filed; /* the hash: serial << 32 | place + 1; 0: empty */
	uint64_t sizes;  /* bit n: a stack of up to 2^n bytes has been filed */
};

/* Makes the table; a forked child takes over its parent's (`from`, else NULL). False: no memory. */
bool stacks_init(struct process *p, const struct process *from);

static inline bool stack_holds(const struct stack *s, uintptr_t address)
{
	return address - s->low < s->bytes;
}

/*
 * The smallest known stack around an address, or NULL. The smallest is the right one where one
 * stack was carved out of another.
 */
struct stack *stacks_find(const struct process *p, uintptr_t address);

/* A stack that begins in [low, low + bytes) and is no larger than `bytes`, or NULL. */
struct stack *stacks_within(const struct process *p, uintptr_t low, uintptr_t bytes);

/* Adds the stack [low, low + bytes). NULL: there is no room. */
struct stack *stacks_add(struct process *p, uintptr_t low, uintptr_t bytes);

/* Removes a stack. Either its lock is held and it has no frames, or its lock was lost. */
void stacks_remove(struct process *p, struct stack *s);

/*
 * Takes the stack's lock, which is held while a few frames are copied. A holder that has ended is
 * ignored, and so is an earlier hook of this thread that a jump out of a signal handler left.
 * False: another thread has held the lock for a tenth of a second. That thread may never release it
 * (its hook may have been left by a jump too), so the lock counts as lost: the caller goes on
 * without the zones put aside here, and no thread waits for this lock again.
 */
bool stacks_lock(struct stack *s);
void stacks_unlock(struct stack *s);

#endif
