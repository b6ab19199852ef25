/* SPDX-License-Identifier: MIT */
/*
 * location.h - which stack frame a hook was called from.
 *
 * The zone stack must follow the real stack through longjmp, exceptions and switches between
 * stacks, so every zone remembers the frame it runs in, by its *canonical frame address* (CFA): the
 * stack pointer before the call that made the frame. The CFA neither moves while the frame lives
 * nor depends on how much of the frame is in use. (The hook's own stack pointer does both.)
 *
 *          caller's frame
 *     CFA  ------------------  <- frame of F
 *          return address        the hook's argument `call_site`
 *          saved registers
 *          locals of F
 *     sp   ------------------  <- F's stack pointer as it calls the hook
 *          return address        the hook's `ret`: a *location*, one place in F's code
 *
 * For one location the distance CFA - sp is a constant, or, where F moves its stack pointer
 * (alloca), CFA - rbp is. The compiler wrote into .eh_frame which of the two is constant, and the
 * distance. The answer is looked up once per location and remembered. A function inlined into F
 * calls the hooks from F's frame and has F's CFA. The function is known to be inlined because the
 * location lies in the code of another function, the *host*.
 */
#ifndef ZPROF_LOCATION_H
#define ZPROF_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* One call of a hook. */
struct event {
	uint64_t ticks;      /* the clock, read first thing */
	uintptr_t zone;      /* the function, or a named zone */
	uintptr_t call_site; /* where the function returns to; fentry.c: the top of the stack */
	uintptr_t sp;        /* the caller's stack pointer as it called the hook */
	uintptr_t ret;       /* where the hook returns to: the location */
	uintptr_t bp;        /* rbp */
};

/*
 * In the fentry front end (fentry.c), a function's first instruction is a call of this many bytes.
 * All of the program's registers are live at that call.
 */
#define EVENT_CALL_BYTES 5
/*
 * Stands for the zone in an exit event of the fentry front end, whose hook does not know the zone:
 * the event ends whichever zone runs in the frame. No function has this address.
 */
#define EVENT_ANY_ZONE 1

/*
 * Whether an event is of the fentry front end, where the stack frame is the return address alone.
 */
static inline bool location_is_bare(const struct event *e)
{
	return e->zone == EVENT_ANY_ZONE || e->ret - e->zone == EVENT_CALL_BYTES;
}

/*
 * How to find the CFA from a location, packed into 32 bits: the distance in bytes (always a
 * multiple of 8), with flags in its low bits.
 */
#define LOCATION_BY_RBP 1u /* distance from rbp, else from sp */
/*
 * The function that is entered is inlined at this location, into another function or into itself
 * (location_is_inlined()).
 */
#define LOCATION_INLINED  2u
#define LOCATION_INDIRECT 4u /* no plain distance: ask location_find() each time */
/*
 * A flag in rules of nodes, not of locations: the zone is lent by an interpreter, and has no frame
 * (lent.h).
 */
#define LOCATION_LENT     0x80000000u
#define LOCATION_DISTANCE 0x7ffffff8u

/* As host: the location lies in a part of a function, and nobody knows of which function. */
#define LOCATION_ANY_HOST 0u

/* A zone's address may lie this many bytes after its function's beginning (fentry.c). */
#define LOCATION_FIRST_INSTRUCTIONS 16

struct location {
	uintptr_t ret;
	uint32_t rule; /* 0: not known yet */
	uint32_t host; /* low half of the address of the function (FDE) that holds the location */
};

#define LOCATIONS_MAX (1u << 17)

/*
 * Flags in `ret` of two other kinds of records in the table: a place as location_at() found it,
 * where no function is known to enter; and a pair of functions (location_goes_on()), under a number
 * made from both.
 */
#define LOCATION_AS_PLACE ((uintptr_t)1 << 63)
#define LOCATION_AS_PAIR  ((uintptr_t)1 << 62)

/*
 * The locations that have been found, shared by all threads. A location is never removed: a slot's
 * `ret` is claimed by compare-and-swap, then its rule is stored.
 */
struct locations {
	struct location *slots; /* LOCATIONS_MAX, open addressing */
	uint64_t *calls;        /* CALL_PLACES (call_places.h); the memory of `slots`: none yet */
	bool calls_begun;
	struct cfi_answer *answers; /* CFI_ANSWERS (cfi_known.h); NULL: no memory */
};

bool locations_init(struct process *p);

/*
 * The CFA for an event, and the location's rule and host. Where there is no call frame information,
 * the stack is searched for `call_site`, up to `stack_end`, and REPAIR_FRAME counts that. The event
 * of a named zone has no call site: its sp, which lies in the frame, is then taken for the CFA.
 */
uintptr_t location_find(struct process *p, const struct event *e, uintptr_t stack_end,
			struct location *where);

/*
 * The rule and the host of a place in code that any call returns to, as if that call were one of a
 * hook.
 */
void location_at(struct process *p, uintptr_t return_address, struct location *where);

/* Where the function begins that holds a location (struct location has only half of that). */
static inline uintptr_t location_host(const struct location *where)
{
	uintptr_t start = (where->ret & ~(uintptr_t)UINT32_MAX) | where->host;

	return start > where->ret ? start - ((uintptr_t)1 << 32) : start;
}

/*
 * Notes that a function is inlined into itself at this location. The location alone does not tell
 * that, because host and function are the same. gcc -O2 inlines recursive functions of a few lines
 * into themselves, several levels deep.
 */
void location_is_inlined(struct process *p, struct location *where);

/*
 * Whether the code around `to` can run in a frame that began in the code around `from`: `to` lies
 * in the same function, in a part of an unknown function, or in a function to which the function
 * around `from` jumps. Where gcc splits a function f, its end becomes a function of its own
 * (`f.part.0`), and f jumps there with a zone open.
 */
bool location_goes_on(struct process *p, const struct location *from, const struct location *to);

/* Whether two rules find the CFA in the same way. */
static inline bool location_alike(uint32_t a, uint32_t b)
{
	return !((a ^ b) & ~LOCATION_INLINED);
}

/* Forgets all locations in [start, end), because their module is being unloaded. */
void locations_forget(struct process *p, uintptr_t start, uintptr_t end);

/* The number of the slot where a location is looked for first. */
static inline uint32_t location_slot(uintptr_t ret)
{
	return (uint32_t)((ret * 0x9e3779b97f4a7c15u) >> 40) & (LOCATIONS_MAX - 1);
}

static inline uintptr_t location_cfa(uint32_t rule, uintptr_t sp, uintptr_t bp)
{
	return (rule & LOCATION_BY_RBP ? bp : sp) + (rule & LOCATION_DISTANCE);
}

#endif
