/* SPDX-License-Identifier: MIT */
/*
 * track.h - a zone stack, and the tree it counts in.
 *
 * Every thread has one track, in its thread-local storage. The zone stack is an array of frames
 * (struct open_zone), which say what zones are open and in which stack frame each zone runs:
 *
 *     bottom -> [ cfa = all ones | root  ]
 *               [ cfa of main    | main  ]
 *               [ cfa of ai      | ai    ]      the stack grows down, so a zone's CFA is above its
 *     top ->    [ cfa of cast    | cast  ]      callees'; a callee inlined into it has an equal CFA
 *
 * The frames, not the nodes, hold the CFA: one context can be open in several stacks at once
 * (coroutines), a folded one in several frames. The frames are private memory, so a forked child
 * inherits them as they were.
 *
 * ## Hooks that are interrupted
 *
 * A signal may arrive at any instruction of a hook, and the signal's handler may have hooks too. No
 * lock can help here. Instead a hook in progress sets `busy`, and the handler's hooks, which find
 * `busy` set, do not touch this track. They count in the track of the next *level*, which has a
 * zone stack and a tree of its own, based on the node that was current. The interrupted hook read
 * the clock before it set `busy`, so everything the handler did lies in the stretch of time after
 * that reading. This stretch will be charged to the node that the interrupted hook makes current.
 * So the handler's ticks, summed up in `stolen`, are taken off that node when the hook ends:
 *
 *     busy = sp              from here on handlers go to the next level
 *     ... charge, find, push
 *     busy -= sp             0, or the mark a handler left: then `stolen` is settled, that is,
 *                            taken off
 *
 * The hook is in progress while it settles, so a handler may leave a mark again meanwhile. If
 * handlers come at every instruction, the hook gives up after a few tries instead of waiting for a
 * moment without signals. It then settles a last time with `busy` saying that no hook is in
 * progress (TRACK_UNSETTLED): a handler that comes in between settles what is left, and counts in
 * this track.
 *
 * A handler may also leave by a jump (siglongjmp), and the hook that it interrupted never goes on.
 * Such an abandoned hook is known by its sp in `busy`: another hook is called from higher up the
 * same stack while `busy` is still set. How much the abandoned hook had charged is found by adding
 * up the tree (recover.h).
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
/* In busy: no hook is in progress, but `stolen` may not have been taken off yet. */
#define TRACK_UNSETTLED ((uintptr_t)-32)
/* In busy: a handler ran and added to `stolen`. (Stack pointers in busy are multiples of 8.) */
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
	uintptr_t busy;        /* 0: no hook in progress; else its caller's sp, or TRACK_* */
	struct open_zone *top; /* the innermost open zone; equal to bottom: no zone is open */
	struct open_zone *limit;
	const uint32_t *alive; /* 1; not 1 in a forked child and while recording is paused */
	char *base;            /* where the profile's file is mapped */
	uint64_t *last;        /* clock reading of the latest event */
	uint32_t *current;     /* in the profile: reference of the top's node */
	uintptr_t stack_low;   /* the stack it runs on now: [stack_low, stack_low + stack_bytes) */
	uintptr_t stack_bytes;
	/* How far the kernel has written notes of this thread (notes.h) ... */
	const volatile uint64_t *news;
	uint64_t known;  /* ... and how far the notes have been read */
	uint64_t stolen; /* ticks that handlers spent while a hook was in progress, to be taken off
			    the current node */

	struct callee *callees;           /* the tree's */
	const struct location *locations; /* the process's */
	/* likewise (code/call_places.h); call_places_none() while turns of the main loop are recorded,
	 * so that CPU_ENTER_ALONE leaves each entry to C */
	const uint64_t *calls;
	struct open_zone *bottom;
	struct tree *tree;
	struct process *process;
	struct lineage *lineage;
	struct notes *notes;
	uint32_t level;
	uint32_t since_check; /* events since the zone stack was last compared with the real one */
	uint64_t paused;      /* ticks of pauses taken off this thread's time (paused.h) */
	uint32_t slept;       /* sites.slept when the open zones were last checked (awake.h) ... */
	bool awoken;          /* ... and whether that check was at this event */
	uint32_t chosen;      /* only.epoch when open zones were last compared with it (chosen.h) */
	bool refused;         /* this thread could not be recorded, and will not be */
	uint64_t own_last;    /* what `last` points to in levels above 0 */
	uint64_t since;  /* levels above 0: the time from here on has not been taken off the level
			    below yet; at first, when the first frame was pushed */
	uint64_t origin; /* levels above 0: last - origin is what was charged here and above */
	struct zprof_node *own_node; /* `[zprof]` of this thread */
	struct lent *lent;           /* NULL until an interpreter lends a zone here (lent.h) */
	struct stack *stack; /* where the frames are put aside when the thread switches stacks;
				NULL: the stack's bounds are not known */
	uint32_t stack_serial;
	uint32_t barriers;
	struct barrier barrier[TRACK_BARRIERS];
	struct callsites *callsites; /* NULL unless callsites=1, and in levels above 0 */
	struct touched *touched; /* nodes that ran in the current turn of the main loop (touched.h);
				    NULL until turns are recorded, and in levels above 0 */
	struct frames *frames;
	struct watch *watch; /* NULL unless frame= or tails=, and in levels above 0 */
};

extern __thread struct track track_self
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Makes a track that counts in `tree`, and the tree too. False: no memory for frames or hash. */
bool track_init(struct track *track, struct tree *tree, struct process *p, uint32_t thread,
		uint32_t level);

/* Frees a track that nothing was counted in, and its tree. */
void track_fini(struct track *track);

/* Makes room for twice as many frames. False: no memory. */
bool track_more_frames(struct track *track);

/* Stores in the tree's `callees` that `child` was entered from `parent` (tree.h). */
void track_remember(struct track *track, struct zprof_node *parent, uint32_t child);

#endif
