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
 * So everything that follows the real stack by addresses is right as it is: a function that map
 * calls has a lower CFA; when evaluate returns or is jumped over, the frames above it go with it; a
 * function inlined into evaluate has an equal CFA and, since lent nodes take over their carrier's
 * host, is accepted above map. Above the root or a barrier, whose CFA is all ones, a lent frame has
 * the largest CFA below all ones.
 *
 * Of a lent node's twin, `rule` is LOCATION_LENT, and two fields that hooks compare with locations
 * hold pointers, which no location equals:
 *
 *     exit_ret   the node's record in the profile (struct zprof_extra)
 *     ret        the record of the next lent node down the path, or of the thread's root: counters
 *                go there when this zone is left
 *
 * A lent zone that could not be recorded in a node of its own (max_nodes), or should not be (a
 * pause), has a *placeholder*, a frame with the node of the frame below: its time goes to its
 * caller, and the leave that follows has a frame to leave.
 */
#ifndef ZPROF_LENT_H
#define ZPROF_LENT_H

#include "preload/track/track.h"

enum lent_operation {
	LENT_ENTER,
	LENT_LEAVE,
	LENT_REPLACE,
	LENT_OTHER,
	LENT_OPERATIONS,
};

/*
 * The location an operation was called from last, and its rule: interpreters have one place or few.
 */
struct lent_place {
	uintptr_t ret;
	uint32_t rule;
};

struct lent {
	struct zprof_extra *current; /* of the innermost lent zone after the last event, to which
					the counters belong */
	struct lent_place place[LENT_OPERATIONS];
	uint32_t counters; /* how many of the counters are read */
	const uint64_t *variable[ZPROF_EXTRA_COUNTERS];
	uint64_t before[ZPROF_EXTRA_COUNTERS];
	/* By frame: the number of its activation. Valid for lent frames below `room`. */
	uint64_t *serials;
	size_t room;
	uint64_t serial; /* of the latest activation */
	uint64_t stack; /* handle of the stack for lent zones that is current; 0: the one the thread
			   began with */
	uint64_t home;  /* handle of the one the thread began with, once it has been left */
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

/* The record of the nearest lent node from here down the path, or of the thread's root. */
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

/* Lets the counters go on from where they are now, uncharged. */
void lent_skip(struct lent *l);

/* The track's state; NULL: no memory (counted). */
struct lent *lent_of(struct track *track);

/* Called; entered again; or taken up where it was put aside, which is neither. */
enum lent_way { LENT_CALLED, LENT_AGAIN, LENT_TAKEN_UP };

/*
 * The child of a node for a zone, made if it is missing; an id that is no lent zone's stands for
 * `(unknown)`. NULL: no room. *slow as in tree_child().
 */
struct zprof_node *lent_child(struct track *track, struct zprof_node *parent, uint64_t zone,
			      bool *slow);

/* Enters a zone whose node is known, a child of the top's. `serial` 0: a new activation. */
void lent_push_node(struct track *track, struct zprof_node *node, enum lent_way way,
		    uint64_t serial);

/*
 * Makes a child of `parent` a lent node, if the child is none yet: by its first carrier. Returns
 * its record.
 */
struct zprof_extra *lent_complete(struct track *track, struct zprof_node *parent,
				  struct zprof_node *node);

/* Takes the top frame, a lent one or a placeholder, off the stack, uncounted. */
void lent_pop(struct track *track);

/*
 * Takes the top frame off, as returned. False: the frame is neither a lent one nor a placeholder.
 */
bool lent_return(struct track *track);

/*
 * Counts lent frames above `to` as left without returning. To be called before they are taken off.
 */
void lent_abandon(struct track *track, const struct open_zone *to);

/* Counts a frame that was put aside, of this node, as left without returning. */
void lent_abandon_node(struct zprof_node *node);

/*
 * Makes a child that stands for a lent node in another tree, or another place of this one,
 * complete; and counts the re-entry.
 */
void lent_continue(struct track *track, struct zprof_node *child);

/*
 * After frames have come or gone in other ways: the counters belong to the zone that is innermost
 * now.
 */
void lent_look_again(struct track *track);

/* Where the lent frames above the innermost native zone begin. */
struct open_zone *lent_carrier(const struct track *track);

/*
 * A thread begins where another has ended; a forked child goes on for its parent; a module goes,
 * with the locations in it.
 */
void lent_begin_thread(struct track *track);
void lent_begin_forked(struct track *track, const struct track *before);
void lent_forget_places(struct lent *l);

/* A counter for the calling thread's track; variable NULL takes it away. False: no column is left.
 */
bool lent_counter(struct track *track, const char *name, const uint64_t *variable);

/* The interpreter has called something at the wrong time. */
void lent_misuse(struct process *p);

#endif
