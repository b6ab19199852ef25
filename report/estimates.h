/* SPDX-License-Identifier: MIT */
/*
 * estimates.h - how good estimated times are (ZPROF_MODE_ADAPTIVE), and what they leave
 * unexplained.
 *
 * The variance of each context is in the file. Beyond it there is one thing that is known exactly:
 * how long a thread lasted. What is left of that when all contexts' times and the cost of all hooks
 * are taken off is `untimed`: stretches that were not timed and took longer than those that were
 * (or, when it is negative, shorter). Some of it is the estimates' own scatter, which is in their
 * variances. Nobody knows whose the rest is, so it widens the error bars of all contexts of the
 * thread that have stretches which were not timed, in proportion to their number.
 */
#ifndef REPORT_ESTIMATES_H
#define REPORT_ESTIMATES_H

#include "report/load.h"

/*
 * P is in L's tree, its node i at MAP[i] (TREE_NONE: it has none there). Adds variances, shares and
 * the threads' untimed to the tree, and what timing there was to PROCESS. Where all was timed it
 * only says what the hooks cost.
 */
void estimates_add(struct load *l, struct process *process, const struct profile *p,
		   const uint32_t *map);

/*
 * Half the width of the self times' error bars as a part of them: the mean over the functions that
 * take a percent of the whole or more, 0 where there are none.
 */
double estimates_mean_error(const struct derived *d);

#endif
