/* SPDX-License-Identifier: MIT */
/*
 * estimate.h - what each context would have taken without the profiler, and how far off that may
 * be.
 *
 * A profile holds for each context what the clock measured (clock=exact), and what samples saw
 * (preload/sample/notes.h). Neither is what a user wants to know: the clock's time contains hooks,
 * which overlap with the program so that no subtraction is right for short functions; samples can
 * tell the hooks from the program, but are few. So
 *
 *   samples   CPU time seen in the program, less what the samples themselves cost;
 *             + calls * hidden: what a function does while its hooks are under way goes by unseen,
 *             because the samples find the processor in the hook (below);
 *             + the time in which it waited for something, exactly
 *
 *   clock     ticks, less the time that others had the processor, less
 *             calls * callee + calls of its callees * caller: the hooks, as in hooks/calibrate.h.
 *             What a pair costs is best known from the samples, which have seen all hooks of the
 *             run; where there are none, from the calibration
 *
 * and a function (all contexts of a zone) takes its time from the clock where its stretches, from
 * one hook to the next, are long compared with a pair of hooks, and from the samples where they are
 * short; between 8 and 32 pairs' length from both, so that there is no seam.
 *
 * ## What goes by unseen
 *
 * A processor runs what comes after a hook while the hook is under way, so a sample that finds it
 * in the hook may be one of the function's. How much of a call's time w is hidden in this way is
 * bounded by what fits beside a pair of hooks, H, and by w itself:
 *
 *     hidden(w) = H * (1 - exp(-w / 1.5 H))           visible = w - hidden(w)
 *
 * From what is visible per stretch of a function, w follows. H is 0.4 of what a pair costs around
 * nothing, as calibrated in that process (0.1 of one that reads the clock); this 0.4 and the
 * 1.5 were found with functions of Lua, sqlite and tcc. Callers hide next to nothing: there the
 * visible cost of calling a hook and what the hook hides are about equal. (A constant per call was
 * tried: what is right for sqlite doubles the functions of Lua that do next to nothing.)
 *
 * The hooks of -finstrument-functions take arguments, and setting these up is the program's own
 * code: `calling_ns` for each stretch, at whose end a hook is called.
 *
 * Where the program was run a second time with its hooks off (native_times.h), a node's time on a
 * processor is what that run says instead, and none of this is needed.
 *
 * All of it is linear in the nodes, so nodes add up as before: functions, arcs, groups. It is never
 * clamped: a node may come out below zero, and its sum with others is still right.
 *
 * The error has two parts (cost.h). A variance, from the number of samples: independent from node
 * to node, it adds up as squares do. And a bias, which has the same sign for all calls and so adds
 * up: it is not known exactly what the hooks hide, or what a compiler would have optimized without
 * them. An error of the whole also changes each share of it, so the error bar of a share is a
 * different one (cost_share_bar).
 */
#ifndef REPORT_ESTIMATE_H
#define REPORT_ESTIMATE_H

#include "report/core/times/cost.h"
#include "report/core/read/profile_read.h"

struct estimate {
	const struct profile *profile;
	bool raw;
	double ns_per_tick;
	double callee_ns, caller_ns, error_ns; /* of a pair of hooks, on the clock */
	double pair_ns;                        /* what a pair costs the program */
	double tiny_pair_ns; /* the same around functions that do next to nothing */
	double room_ns;      /* H: what a call can hide, at most */
	/* A further error of each call; a caller has it too, for each it makes. */
	double call_error_ns;
	double share_error;  /* a share of what samples see: hooks keep compilers from optimizing */
	double calling_ns;   /* of a stretch: to call the hook that ends it */
	double price_ns;     /* what a sample costs the program; 0: this is left in its times */
	double period_ns;    /* that a sample stands for, on average */
	double others_ns;    /* time of others in the clock's times; samples alone tell whose */
	double others_share; /* others_ns as a share of all times by the clock */
	double hook_ns;      /* what all hooks took; 0: not sampled */
	uint64_t samples;    /* taken */
	uint64_t *child_calls;         /* by node of the profile */
	struct zprof_samples *seen_in; /* by node; NULL: no samples were taken */
	struct zprof_native *native;   /* by node; NULL: there was no second run */
	double *clock_share;  /* by zone of the tree: how much of its time is the clock's */
	double *hidden_ns;    /* by zone: what a call hides */
	double *calling;      /* by zone: calling_ns, or all that was seen if that is less */
	double *share_errors; /* by zone: share_error, or less where stretches are long */
};

/* ZONES: the zone of each node of P, below ZONE_COUNT. */
void estimate_init(struct estimate *e, const struct profile *p, const uint32_t *zones,
		   size_t zone_count, bool raw);
void estimate_free(struct estimate *e);

/* The self cost of a node in ZONE, counters apart. */
struct cost estimate_node(const struct estimate *e, size_t node, uint32_t zone);

/* Time of a thread in the kernel, where no sample may be taken; 0 where the clock has it. */
struct cost estimate_unseen(const struct estimate *e, const struct zprof_thread *thread);

/* Whether a profile has times. */
bool estimate_is_timed(const struct zprof_header *header);

#endif
