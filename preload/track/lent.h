/* SPDX-License-Identifier: MIT */
/*
 * lent.h - zones lent by an interpreter (zprof.h), on a track.
 *
 * A lent zone has no stack frame: it stands on the zone stack above its *carrier*, the native zone
 * that was running, and has the carrier's CFA:
 *
 *     bottom -> [ root       ]
 *               [ main       ]
 *               [ evaluate   | cfa 7f20 ]                    carrier of fact and map
 *               [ (fact)     | cfa 7f20 ]
 *               [ (map)      | cfa 7f20 ]
 *               [ prim_map   | cfa 7e80 ]                    native, called from within
 *     top ->    [ evaluate   | cfa 7e10 ]
 *
 * So code that follows the real stack by addresses needs no change for lent zones: a function that
 * map calls has a lower CFA; when evaluate returns or is jumped over, the frames above it go with
 * it. A function inlined into evaluate has an equal CFA; it is accepted above map because lent
 * nodes take over their carrier's host. Above the root or a barrier, whose CFA is all ones, a lent
 * frame has the largest multiple of 8 as CFA.
 *
 * A lent node's twin has LOCATION_LENT as `rule`. Two of its fields, which hooks compare with
 * locations, hold pointers to data, which no location equals:
 *
 *     exit_ret   the node's record in the profile (struct zprof_extra)
 *     ret        the record of the next lent node towards the root, or else of the root: the
 *                counters' increase goes there after this zone is left
 *
 * Some lent zones get no node of their own: there is no room (max_nodes), or a pause is in force.
 * The frame of such a zone is a *placeholder* and has the node of the frame below. So the zone's
 * time goes to its caller, and the leave that follows has a frame to leave.
 */
#ifndef ZPROF_LENT_H
#define ZPROF_LENT_H

#include "preload/track/track.h"

enum lent_operation {
	LENT_ENTER,
	LENT_REENTER,
	LENT_LEAVE,
	LENT_REPLACE,
	LENT_OTHER,
	LENT_OPERATIONS,
};

/*
 * The location that an operation was called from last, and its rule. An interpreter calls an
 * operation from one place, or from few, so the rule need rarely be looked up.
 */
struct lent_place {
	uintptr_t ret;
	uint32_t rule;
};

/* Zones that the latest event has passed over (lent/lent_arrive.h), for check=. */
#define LENT_PASSED 8

struct lent {
	struct zprof_extra *current; /* the record that the counters' increase is charged to: of the
					innermost lent zone after the last event */
	struct lent_place place[LENT_OPERATIONS];
	uint32_t counters; /* how many of the counters are read */
	const uint64_t *variable[ZPROF_EXTRA_COUNTERS];
	uint64_t before[ZPROF_EXTRA_COUNTERS];
	/* Activation numbers, indexed like the frames. Valid for lent frames below `room`. */
	uint64_t *serials;
	size_t room;
	uint64_t serial; /* of the latest activation */
	uint64_t stack;  /* handle of the current stack for lent zones; 0: the stack that the thread
			   began with */
	uint64_t home;   /* handle of the stack that the thread began with, once it has been left */
	uint32_t passed_count;
	struct {
		uintptr_t cfa;
		uint64_t zone;
	} passed[LENT_PASSED];
};

static inline bool lent_is(struct zprof_node *node)
{
	return twin_of(node)->rule == LOCATION_LENT;
}

static inline bool lent_placeholder(const struct open_zone *f)
{
	return f->cfa != UINTPTR_MAX && f->node == f[-1].node;
}

static inline struct zprof_extra *lent_extra(struct zprof_node *node)
{
	return (struct zprof_extra *)twin_of(node)->exit_ret;
}

static inline uintptr_t lent_cfa(const struct open_zone *below)
{
	return below->cfa == UINTPTR_MAX ? UINTPTR_MAX - 7 : below->cfa;
}

/* The record of `node` or its nearest ancestor that is lent, or else of the thread's root. */
struct zprof_extra *lent_nearest(struct track *track, struct zprof_node *node);

/* Charges the counters' increase to the zone that they belong to. */
static inline __attribute__((always_inline)) void lent_count(struct lent *l)
{
	uint32_t i;

	for (i = 0; i < l->counters; i++) {
		uint64_t now = *(const volatile uint64_t *)l->variable[i];

		l->current->counter[i] += now - l->before[i];
		l->before[i] = now;
	}
}

/* Reads the counters, and charges their increase to nothing. */
void lent_skip(struct lent *l);

/* The track's state; NULL: no memory (counted). */
struct lent *lent_of(struct track *track);

/*
 * How a zone is entered: called; entered again; or taken up where it was put aside, which counts as
 * neither of the two.
 */
enum lent_way { LENT_CALLED, LENT_AGAIN, LENT_TAKEN_UP };

/*
 * The child of `parent` for a zone, made if it is missing. If the id is not that of a lent zone, it
 * is the child for the zone `(unknown)`. NULL: no room. *slow as in tree_child().
 */
struct zprof_node *lent_child(struct track *track, struct zprof_node *parent, uint64_t zone,
			      bool *slow);

/* Enters a zone whose node is known, a child of the top's. `serial` 0: a new activation. */
void lent_push_node(struct track *track, struct zprof_node *node, enum lent_way way,
		    uint64_t serial);

/*
 * Makes `node`, a child of `parent`, a lent node if it is none yet. The host is that of its carrier
 * now. Returns the node's record.
 */
struct zprof_extra *lent_complete(struct track *track, struct zprof_node *parent,
				  struct zprof_node *node);

/* Takes the top frame, a lent one or a placeholder, off the stack, uncounted. */
void lent_pop(struct track *track);

/*
 * Takes the top frame off, and counts its zone as returned. False: the frame is neither a lent one
 * nor a placeholder.
 */
bool lent_return(struct track *track);

/*
 * Counts lent frames above `to` as left without returning. Called before the frames are taken off.
 */
void lent_abandon(struct track *track, const struct open_zone *to);

/* Counts one frame of `node`, which had been put aside, as left without returning. */
void lent_abandon_node(struct zprof_node *node);

/*
 * Completes `child`, in which the zone of a lent node goes on that is in another tree, or elsewhere
 * in this one. Counts a re-entry.
 */
void lent_continue(struct track *track, struct zprof_node *child);

/*
 * Called after frames have come or gone by other means than these functions: charges the counters
 * from now on to the lent zone that is innermost now.
 */
void lent_look_again(struct track *track);

/* The carrier: the frame of the innermost native zone, or a barrier, or the bottom. */
struct open_zone *lent_carrier(const struct track *track);

/*
 * To be called when a thread takes over a lineage; when a forked child goes on in its own tree
 * (`before` is the parent's track); when a module is unloaded, with the locations in it.
 */
void lent_begin_thread(struct track *track);
void lent_begin_forked(struct track *track, const struct track *before);
void lent_forget_places(struct lent *l);

/*
 * Adds a counter to the calling thread's track, or removes it (`variable` NULL). False: no column
 * is left, or no memory.
 */
bool lent_counter(struct track *track, const char *name, const uint64_t *variable);

/* Counts that the interpreter called a function of zprof.h at the wrong time. */
void lent_misuse(struct process *p);

#endif
