/* SPDX-License-Identifier: MIT */
/*
 * judge.h - what a profiler shows of a program, compared with the truth: shares of self time.
 *
 * A share is a part of the time of all functions, in points of 100. Rows in brackets ([kernel]) are
 * not functions: they are left out of the whole, and their share is given apart.
 */
#ifndef BENCH_TRUTH_JUDGE_H
#define BENCH_TRUTH_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { JUDGE_FUNCTIONS = 1 << 14, JUDGE_BRACKETS = 8, JUDGE_FIRST = 10 };

/* Bars are judged for functions above this share. */
#define JUDGE_LARGE 1.0

struct judged {
	const char *name;
	double samples[2];   /* the truth's: of its first build or half, and of the second */
	double shown, error; /* in the unit of what is judged */
	/* in points, found by judge_figures() */
	double truth_share, shown_share, error_share, truth_error;
	bool held;
};

struct judge {
	/* Largest in truth first, after judge_figures(). */
	struct judged functions[JUDGE_FUNCTIONS];
	size_t count;
	struct {
		const char *name;
		double shown, share;
	} brackets[JUDGE_BRACKETS];
	size_t bracket_count;
	/* samples of the truth: all, those in no function, those in the kernel */
	double taken, unplaced, in_kernel;
	bool has_errors;      /* what is judged has error bars */
	double whole_error;   /* of the sum of all that is shown */
	bool truth_is_known;  /* the truth is times, not samples: it has no noise */
	double shown_samples; /* how many samples the judged times come from; 0: none */
};

struct figures {
	double distance, noise, net;             /* net: without the noise, in quadrature */
	double repeat, repeat_noise, repeat_net; /* the same between the truth's two halves */
	double truth_samples;
	size_t large, held;   /* functions above 1 %, and those whose bar holds the truth */
	double widest, width; /* of their bars, in points: the widest, and on average */
	size_t pairs, wrong;  /* of the first ten; wrong: further apart than their bars allow */
	double first_truth, first_shown; /* shares of the truth's first function */
};

/* The function of that name, made if there is none. NULL: no more room. */
struct judged *judge_function(struct judge *j, const char *name);

/* Files as sampler.c writes them; HALF is 0 or 1, or -1 to keep a file's two columns apart. */
bool judge_read_truth(struct judge *j, const char *path, int half);
/* `NAME CALLS NANOSECONDS`, as the programs of known truth write. */
bool judge_read_known(struct judge *j, const char *path);
/* zprof's JSON, or lines of NAME <tab> SELF. */
bool judge_read_shown(struct judge *j, const char *path);

void judge_figures(struct judge *j, struct figures *f);

struct spread {
	size_t runs;
	/* Pairs: two runs and one of the first ten functions. Within: those within their bars. */
	size_t pairs, within;
	double widest;    /* the most that two runs are apart, in points */
	const char *name; /* in this function */
};

/* Reports of single runs against each other. */
bool judge_spread(const struct judge *j, const char *const *paths, size_t runs, struct spread *s);

/* The expected half sum of absolute differences, in points, of two sets of this many samples drawn
 * from the truth's shares; 0 for a set that is not made of samples. */
double judge_noise(const struct judge *j, double samples, double others);

/* Lines of JSON, as `judge cell` prints them. */
bool judge_table(const char *path, FILE *to);
bool judge_summary(const char *path, FILE *to);
bool judge_plot(const char *path, FILE *to);

#endif
