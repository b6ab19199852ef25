/* SPDX-License-Identifier: MIT */
/*
 * estimate.h - estimates how much time each context would have taken without the profiler, and the
 * error of that estimate.
 *
 * A profile holds for each context the time that the clock measured (clock=exact), and the time
 * that samples saw (preload/sample/notes.h). A user wants to know neither. The clock's time
 * contains hooks, which overlap with the program, so for short functions no subtraction is right.
 * Samples can tell hooks from the program, but are few. So there are two estimates:
 *
 *   samples   CPU time seen in the program, less the cost of the samples themselves;
 *             + calls * hidden: the function's work while its hooks are under way, in which samples
 *             find the processor in the hook (below);
 *             + the time in which it waited for something, as measured: lengthened.h has its error
 *
 *   clock     ticks, less the time that others had the processor, less
 *             calls * callee + calls of its callees * caller: the hooks, as in hooks/calibrate.h.
 *             The cost of a pair of hooks is best known from samples, which have seen all hooks of
 *             the run; without samples, from the calibration
 *
 * A function (all contexts of a zone) takes its time from the clock if its stretches, from one hook
 * to the next, are long compared with a pair of hooks, and from the samples if they are short.
 * Between 8 and 32 pairs' length, its time is a mixture of both, so that there is no jump.
 *
 * ## The hidden time
 *
 * A processor begins to run the code after a hook while the hook is under way. So a sample that
 * finds the processor in the hook may belong to the function. The hidden part of a call's time w is
 * bounded by the room beside a pair of hooks, H, and by w itself:
 *
 *     hidden(w) = H * (1 - exp(-w / 1.5 H))           visible = w - hidden(w)
 *
 * From the visible part of a function's stretches follows w. H is 0.4 of the cost of a pair of
 * hooks around nothing, as calibrated in that process (0.1 if the pair reads the clock). This 0.4,
 * and the 1.5, were found with functions of Lua, sqlite and tcc. Callers hide next to nothing: for
 * them, the visible cost of calling a hook about equals the hidden time. (A constant per call was
 * tried: the right one for sqlite doubles the functions of Lua that do next to nothing.)
 *
 * The hooks of -finstrument-functions take arguments. Setting these up is the program's own code,
 * and takes `calling_ns` in each stretch, at whose end a hook is called.
 *
 * ## Functions that end without a hook
 *
 * There (ZPROF_ENTRIES), a call has one hook instead of two, which has a calibration of its own
 * (preload/hooks/entry_price.h) and stands for a pair in all of the above. The place of a sample is found by a walk of the stack, and
 * where the walk ends too early, the sample may belong to a caller of the function that it is charged
 * to; and so may time after a ring was full (struct zprof_unsure). Such time is, in full, in the error
 * bar of the self times of all functions that may have it, and of the total of the function that has
 * it. The total of a caller contains that time in either case, but its bar is the sum of the bars
 * inside, and so contains the time, too.
 *
 * If the program was run a second time with its hooks off (native_times.h), a node's time on a
 * processor comes from that run, and all of the above is not needed.
 *
 * All estimates are linear in the nodes, so functions, arcs and groups are sums of their nodes. No
 * estimate is clamped: a node may come out below zero, and its sum with others is still right.
 *
 * ## Calls that overlap
 *
 * While one call waits for memory, a processor already works on the next ones, and they wait together. A
 * hook between the two has several dozen instructions, and takes the room of the calls that would have
 * followed. Then each call waits alone: a comparison of perl's sort, and the next element of a hash,
 * take up to twice as long with hooks as without. Or the hook's own work is done during the wait, more
 * of it than H allows, and the function seems to take less: leveldb's main(), by a third. No
 * sample tells which of the two happens, or whether the function waits at all; only a second run does.
 * So all functions with hooks after inlining have this error, depending on the length w of their stretches:
 *
 *     share of the time = 0.4 * (w / 20 ns)^2 / (1 + (w / 20 ns)^2) / (1 + w / 300 ns)
 *
 * A wait for memory takes some 100 ns. Stretches that are much shorter seldom contain one; in much longer
 * ones, most waits overlap within the call. The three numbers, and the other errors of estimate.c, are such
 * that bars hold for nine of ten functions above 1 % on each of twelve programs
 * (tests/bench/truth/run).
 *
 * The error has two parts (cost.h). The variance comes from the number of samples; it is
 * independent from node to node, so variances add up. The bias has the same sign for all calls, so
 * biases add up: nobody knows exactly how much the hooks hide, or how a compiler would have
 * optimized without them. An error of the whole also changes each share of it, so a share has
 * another error bar (cost_share_bar).
 *
 * A bias is a bound that knows nothing of the rest. Time that may be another function's is in the bars
 * of all that may have it, and in each total above them. So a bar may be longer than what is possible:
 * a function with half of the time, and a bar of six tenths. But no function took less than nothing,
 * or more than the whole. So views cut a bar off where both of its ends are impossible
 * (cost_cut_bars()). Its end is then the farther one of zero and the most that the whole can be, which
 * is all that was seen, hooks included: the kernel's clock has measured that. Bars of sums, of
 * comparisons, and of the whole itself are not cut: sums of cut bars would claim too little. A bar
 * goes as far up as down, so one of a time near the whole still reaches above it. (Text that shows
 * the lower half alone, `806 ms -70`, was tried: main() then has it in nearly every profile, since most
 * of its bar is in that of the whole, too.)
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
	double tiny_pair_ns; /* the cost around functions that do next to nothing */
	double room_ns;      /* H: how much a call can hide, at most */
	double hidden_error; /* of what a call hides, as a share */
	/* A further error of each call; it also counts for the caller, for each call it makes. */
	double call_error_ns;
	double share_error; /* a share of what samples see: hooks keep compilers from optimizing */
	double overlap_error;  /* the same: hooks change how calls overlap */
	double calling_ns;     /* of a stretch: the time to call the hook that ends it */
	double price_ns;       /* the program's cost of a sample; 0: it stays in the times */
	double period_ns;      /* that a sample stands for, on average */
	double others_ns;      /* time of others in the clock's times; only samples tell where */
	double others_share;   /* others_ns as a share of all times by the clock */
	double hook_ns;        /* the cost of all hooks; 0: not sampled */
	uint64_t samples;      /* taken */
	double unsure_ns;      /* of all samples, the time that may be another node's */
	double *unsure_in;     /* the same, by node; NULL: no samples were taken */
	double *callees_in;    /* time of a node's callees that may be its own, by node; or NULL */
	uint64_t *child_calls; /* by node of the profile */
	struct zprof_samples *seen_in; /* by node; NULL: no samples were taken */
	struct zprof_native *native;   /* by node; NULL: there was no second run */
	double *clock_share;  /* by zone of the tree: how much of its time is the clock's */
	double *hidden_ns;    /* by zone: how much a call hides */
	double *calling;      /* by zone: calling_ns, or all that was seen if that is less */
	double *share_errors; /* by zone: share_error, or less where stretches are long */
};

/* ZONES has the zone of each node of P; all are below ZONE_COUNT. */
void estimate_init(struct estimate *e, const struct profile *p, const uint32_t *zones,
		   size_t zone_count, bool raw);
void estimate_free(struct estimate *e);

/* The self cost of a node in ZONE, without counters. */
struct cost estimate_node(const struct estimate *e, size_t node, uint32_t zone);

/* The CPU time of a node's hooks, by samples; and what they cost the program besides, if a second run
 * has shown it. There must be samples. */
double estimate_hooks_ns(const struct estimate *e, size_t node);

/* A thread's time in the kernel, if samples may not be taken there; 0 if the clock has it. */
struct cost estimate_unseen(const struct estimate *e, const struct zprof_thread *thread);

/* Whether a profile has times. */
bool estimate_is_timed(const struct zprof_header *header);

#endif
