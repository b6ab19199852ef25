/* SPDX-License-Identifier: MIT */
/*
 * bench_table.c - the workloads and the variants. A new one is one line here, and one in the
 * Makefile.
 */
#include "tests/bench/bench.h"

#include <string.h>

const struct workload workloads[] = {
    {"leaf", "one small function", "leaf", 1, 1.20, 3, false},
    {"fib", "recursive Fibonacci", "fib", 1, 1.20, 3, false},
    {"alternate", "one callee of two callers in turn", "alternate", 1, 1.20, 3, false},
    {"deep", "recursion 1,000 deep", "deep", 1, 1.35, 5, false},
    {"callees", "200 callees in order", "callees", 1, 1.35, 3, false},
    {"random", "200 callees in random order", "random", 1, 1.35, 3, false},
    {"threads", "leaf, in two threads at once", "leaf", 2, 1.20, 3, false},
    {"c++", "C++: virtual calls, templates", "cxx", 1, 1.20, 5, false},
    {"lua", "Lua 5.4 from Debian's sources", "lua", 1, 0, 0, true},
    {"zlib", "zlib from Debian's sources", "zlib", 1, 0, 0, true},
};
const size_t workload_count = sizeof(workloads) / sizeof(workloads[0]);

#define PRELOAD(library) "LD_PRELOAD=@B/" library " @P"
#define ZPROF(clock)     "ZPROF_OPTIONS=clock=" clock ",output=profile " PRELOAD("libzprof.so")
#define XRAY(mode)       "BENCH_XRAY=" mode " XRAY_OPTIONS=xray_logfile_base=xray. @P"

enum { SLOW = 3 };

const struct variant variants[] = {
    {"none", "not instrumented", VARIANT_BASE, "plain", "", "none", NULL, "@P", NULL, NULL, NULL,
     0},
    {"none, clang", "not instrumented, by clang", VARIANT_BASE, "clang", "", "none, clang", NULL,
     "@P", NULL, NULL, NULL, 0},

    {"empty hooks", "floor of counting", VARIANT_FLOOR, "hooks", "hooks", "none", NULL,
     PRELOAD("bench/floor_empty.so"), NULL, NULL, NULL, 0},
    {"rdtsc + store", "floor of exact timing", VARIANT_FLOOR, "hooks", "hooks", "none", NULL,
     PRELOAD("bench/floor_tsc.so"), NULL, NULL, NULL, 0},
    {"count", "zprof, calls only", VARIANT_ZPROF, "hooks", "hooks", "none", "empty hooks",
     ZPROF("count"), "profile*", NULL, NULL, 0},
    {"exact", "zprof, every call timed", VARIANT_ZPROF, "hooks", "hooks", "none", "rdtsc + store",
     ZPROF("exact"), "profile*", NULL, NULL, 0},

    {"fentry: empty hooks", "floor of counting, after inlining", VARIANT_FLOOR, "fentry", "fentry",
     "none", NULL, PRELOAD("bench/floor_empty.so"), NULL, NULL, NULL, 0},
    {"fentry: rdtsc + store", "floor of exact timing, after inlining", VARIANT_FLOOR, "fentry",
     "fentry", "none", NULL, PRELOAD("bench/floor_tsc.so"), NULL, NULL, NULL, 0},
    {"fentry: off", "zprof linked, not recording", VARIANT_ZPROF, "fentry", "fentry", "none",
     "fentry: empty hooks", "@P", NULL, NULL, NULL, 0},
    {"fentry: count", "zprof after inlining, calls only", VARIANT_ZPROF, "fentry", "fentry", "none",
     "fentry: empty hooks", ZPROF("count"), "profile*", NULL, NULL, 0},
    {"fentry: exact", "zprof after inlining, every call timed", VARIANT_ZPROF, "fentry", "fentry",
     "none", "fentry: rdtsc + store", ZPROF("exact"), "profile*", NULL, NULL, 0},

    {"entries: empty hook", "floor of counting entries alone", VARIANT_FLOOR, "entries", "fentry",
     "none", NULL, PRELOAD("bench/floor_empty.so"), NULL, NULL, NULL, 0},
    {"entries: count", "zprof after inlining, entries alone", VARIANT_ZPROF, "entries", "fentry",
     "none", "entries: empty hook", ZPROF("count"), "profile*", NULL, NULL, 0},

    {"gprof", "counts arcs, guesses times", VARIANT_PEER, "pg", "pg", "none", NULL, "@P",
     "gmon.out", NULL, NULL, 0},
    {"callgrind", "counts instructions on a simulated processor", VARIANT_PEER, "plain", "pg",
     "none", NULL, "valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out @P",
     "callgrind.out", "command -v valgrind", NULL, SLOW},
    {"uftrace", "writes a log of all events", VARIANT_PEER, "pg", "pg", "none", NULL,
     "uftrace record --no-event --no-pager -d data @P", "data/info", "command -v uftrace", NULL,
     SLOW},
    {"xray profiling", "LLVM XRay, times of calling contexts", VARIANT_PEER, "xray", "clang-hooks",
     "none, clang", NULL, XRAY("xray-profiling"), "xray.*", "command -v llvm-xray", NULL, SLOW},
    {"xray fdr", "LLVM XRay, log in memory", VARIANT_PEER, "xray", "clang-hooks", "none, clang",
     NULL, XRAY("xray-fdr"), "xray.*", "command -v llvm-xray", NULL, SLOW},
    {"lttng", "LTTng's cyg-profile, a log of all events", VARIANT_PEER, "hooks", "hooks", "none",
     NULL, "@S/lttng.sh run @P", "trace/*", "@S/lttng.sh start", "@S/lttng.sh stop", SLOW},
};
const size_t variant_count = sizeof(variants) / sizeof(variants[0]);

_Static_assert(sizeof(workloads) / sizeof(workloads[0]) <= BENCH_WORKLOADS_MAX, "raise it");
_Static_assert(sizeof(variants) / sizeof(variants[0]) <= BENCH_VARIANTS_MAX, "raise it");

int bench_workload(const char *name)
{
	for (size_t i = 0; i < workload_count; i++)
		if (!strcmp(workloads[i].name, name))
			return (int)i;
	return -1;
}

int bench_variant(const char *name)
{
	for (size_t i = 0; i < variant_count; i++)
		if (!strcmp(variants[i].name, name))
			return (int)i;
	return -1;
}
