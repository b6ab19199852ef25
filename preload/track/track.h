/* SPDX-License-Identifier: MIT */
/*
 * track.h - a zone stack, and the tree it counts in.
 *
 * Every thread has one track, in its thread-local storage. Its stack of frames says which zones are
 * open and in which stack frame each runs:
 *
 *     bottom -> [ cfa = all ones | root  ]
 *               [ cfa of main    | main  ]
 *               [ cfa of ai      | ai    ]      the stack grows down, so a zone's CFA is above its
 *     top ->    [ cfa of cast    | cast  ]      callees'; only one inlined into it has an equal one
 *
 * The frames, not the nodes, hold the CFA: one context can be open in several stacks at once
 * (coroutines), a folded one in several frames. The frames are private memory, so a forked child
 * inherits them as they were.
 *
 * ## Hooks that are interrupted
 *
 * A signal may arrive at any instruction of a hook, and its handler may be instrumented. There is
 * no lock to help: instead a hook in progress says so in `busy`, and a handler's hooks that find it
 * set do not touch this track. They count in the track of the next *level*, which has a stack and a
 * tree of its own, based on the node that was current. The interrupted hook read the clock before
 * it set busy, so everything the handler did lies in the stretch of time after that reading, which
 * will be charged to the node this hook makes current. So the handler's ticks, summed up in
 * `stolen`, are taken off that node when the hook ends:
 *
 *     busy = sp              from here on handlers go to the next level
 *     ... charge, find, push
 *     busy -= sp             0, or the mark a handler left: then stolen is settled
 *
 * Settling belongs to the hook, so it may be marked again meanwhile. Where that goes on (a handler
 * at every instruction), no loop waits for a moment without signals: then settling is no hook in
 * progress, and a handler that comes in between settles what is left, and counts here.
 *
 * A hook that was itself abandoned by a jump out of a handler is known by its sp: another hook is
 * called from higher up the same stack while it is still "in progress". Its half-done charge is
 * found by adding up the tree (recover.h).
 *
 * Invariants: bottom <= top < limit; bottom->cfa is all ones; CFAs do
 * not increase from bottom to top; each frame's node is a child of the node of the frame below.
 */
#ifndef ZPROF_TRACK_H
#define ZPROF_TRACK_H

#include "preload/base/cpu.h"
#include "preload/frames/touched.h"
#include "preload/tree/tree.h"
#include "preload/process/process.h"

#define TRACK_UNREADY ((uintptr_t)-16) /* in busy: this thread has no track yet */
/* In busy: no hook is in progress, but stolen time may not have been taken off yet. */
#define TRACK_UNSETTLED ((uintptr_t)-32)
/* In busy: a handler ran and has stolen time. (The stack pointers in busy are multiples of 8.) */
#define TRACK_MARK ((uintptr_t)1)

struct open_zone {
	uintptr_t cfa;
	struct zprof_node *node;
};

#define TRACK_BARRIERS 4

/*
 * Where the frames of a signal handler on a stack of its own begin, and the bounds of the stack it
 * interrupted (barriers.h).
 */
struct barrier {
	size_t depth;
	uintptr_t low, bytes;
};

struct stack;
struct callsites;
struct frames;
struct watch;

struct track {
	uintptr_t busy;        /* 0: no hook in progress; else the sp it was called with */
	struct open_zone *top; /* the open zone; bottom: none is */
	struct open_zone *limit;
	const uint32_t *alive; /* 1, but in a forked child and while recording is paused */
	char *base;            /* of the file */
	uint64_t *last;        /* clock reading of the latest event */
	uint32_t *current;     /* in the profile: reference of the top's node */
	uintptr_t stack_low;   /* the stack it runs on now: [stack_low, stack_low + stack_bytes) */
	uintptr_t stack_bytes;
	/* What is written of this thread from outside (notes.h)... */
	const volatile uint64_t *news;
	uint64_t known;  /* ... and how far it has been read */
	uint64_t stolen; /* ticks that handlers spent while a hook was in progress, to be taken off
			    the current node */

	struct callee *callees;           /* of the tree */
	const struct location *locations; /* of the process */
	struct open_zone *bottom;
	struct tree *tree;
	struct process *process;
	struct lineage *lineage;
	struct notes *notes;
	uint32_t level;
	uint32_t since_check; /* events since the zone stack was last compared with the real one */
	uint64_t paused;      /* ticks of pauses that are settled (pause.h) */
	uint32_t slept;       /* sites.slept when what is open was looked at last (awake.h) ... */
	bool awoken;          /* ... which was at this event */
	uint32_t chosen;   /* only.epoch when what is open was compared with it last (chosen.h) */
	bool refused;      /* this thread could not be recorded, and will not be */
	uint64_t own_last; /* what `last` points to in levels above 0 */
	uint64_t since;    /* levels above 0: the time from here on has not been taken off the level
			    below yet; at first, when the first frame was pushed */
	uint64_t origin; /* levels above 0: what has been charged here and above is last - origin */
	struct zprof_node *own_node; /* `[zprof]` of this thread */
	struct lent *lent;           /* NULL until an interpreter lends a zone here (lent.h) */
	struct stack *stack; /* where the frames are put aside when the thread switches; NULL:
				bounds are not known */
	uint32_t stack_serial;
	uint32_t barriers;
	struct barrier barrier[TRACK_BARRIERS];
	struct callsites *callsites; /* NULL unless callsites=1, and in levels above 0 */
	struct touched *touched; /* of frames; NULL while there are none, and in levels above 0 */
	struct frames *frames;
	struct watch *watch; /* NULL unless frame= or tails=, and in levels above 0 */
};

extern __thread struct track track_self
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Counts in `tree`, which is initialized too. False: no memory for frames or hash. */
bool track_init(struct track *track, struct tree *tree, struct process *p, uint32_t thread,
		uint32_t level);

/* Of one that nothing was counted in. */
void track_fini(struct track *track);

/* Twice as many frames. False: no memory. */
bool track_more_frames(struct track *track);

/* Remembers that `child` was entered from `parent` (tree.h). */
void track_remember(struct track *track, struct zprof_node *parent, uint32_t child);

#endif
