/* SPDX-License-Identifier: MIT */
/*
 * bench.h - what the parts of the benchmark driver share.
 *
 * A *workload* is a program that times its own work slice by slice (work.h). A *variant* is a way
 * to build and run it: uninstrumented, over a floor, under zprof, under a peer. A *cell* is one
 * workload under one variant. The runs of all cells are interleaved, since the machine's other work
 * changes with time; a cell's figure is its quickest slice, since noise only ever adds.
 *
 *     added   = (slice under the variant - slice under its base) / calls in a slice
 *     ratio   = added / added of the floor
 *     times   = slice under the variant / slice under its base
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BENCH_WORKLOADS_MAX = 16, BENCH_VARIANTS_MAX = 32, BENCH_ROUNDS_MAX = 99, BENCH_WHY = 160 };

/* Limits are those the project has set itself; 0: none for this workload. */
struct workload {
	const char *name, *what;
	const char *program; /* build/bench/PROGRAM.BUILD */
	unsigned threads;
	double exact_limit;   /* added by exact timing, as a ratio to the floor */
	double count_limit;   /* added by counting beyond the empty hooks, in ns */
	bool slowdown_counts; /* a real program: "N times slower" says more than ns per call */
};

enum variant_kind { VARIANT_BASE, VARIANT_FLOOR, VARIANT_ZPROF, VARIANT_PEER };

/*
 * `command` and `ready` are lines for the shell, run in an empty folder: @B is the build folder, @S
 * that of the scripts, @P the program with its arguments. `ready` fails if a tool is not installed;
 * `after` undoes it. A run that leaves no file of the pattern `proof` has recorded nothing,
 * whatever it printed.
 */
struct variant {
	const char *name, *what;
	enum variant_kind kind;
	const char *build;
	const char *counted; /* the build whose calls (by floor_count.so) are those of this one */
	const char *base;    /* variant */
	const char *floor;   /* variant, or NULL */
	const char *command, *proof, *ready, *after;
	unsigned share; /* a slow tool runs one slice in this many; 0: all */
};

extern const struct workload workloads[];
extern const size_t workload_count;
extern const struct variant variants[];
extern const size_t variant_count;

/* All times are of one slice, in nanoseconds. */
struct cell {
	unsigned runs;
	double least[BENCH_ROUNDS_MAX]; /* of each run: its quickest slice, and the mean */
	double mean[BENCH_ROUNDS_MAX];
	double min_ns, median_ns; /* the least of the quickest, the median of the means */
	uint64_t pairs;
	bool chosen;
	char why[BENCH_WHY]; /* empty, or why there is no figure */
};

struct bench {
	const char *build, *scripts, *scratch; /* folders, absolute */
	unsigned rounds, slices;
	unsigned long pairs;
	char machine[200];
	struct cell cells[BENCH_WORKLOADS_MAX][BENCH_VARIANTS_MAX];
};

/* Index, or -1. */
int bench_workload(const char *name);
int bench_variant(const char *name);

/* bench_run.c: fills the chosen cells. Shows what it is doing on a terminal. False: it could not
 * begin, and the reason is on stderr. */
bool bench_run(struct bench *b);

/* bench_figures.c. False: no figure. */
bool bench_has(const struct bench *b, int w, int v);
bool bench_added(const struct bench *b, int w, int v, double *min_ns, double *median_ns);
bool bench_times(const struct bench *b, int w, int v, double *times);
bool bench_ratio(const struct bench *b, int w, int v, double *ratio);

/* A limit: what was found, and whether it holds. */
struct verdict {
	char what[120];
	double figure, limit;
	bool measured, met;
};

/* Fills in at most `max`, returns how many there are. */
size_t bench_verdicts(const struct bench *b, struct verdict *to, size_t max);

/* bench_print.c */
void bench_print(const struct bench *b, FILE *to);

/* bench_json.c. False: the error is on stderr. */
bool bench_save(const struct bench *b, const char *path);
bool bench_load(struct bench *b, const char *path);

/* bench_plot.c: an SVG picture. */
void bench_plot(const struct bench *b, FILE *to);

#endif
