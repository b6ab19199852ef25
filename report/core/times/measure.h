/* SPDX-License-Identifier: MIT */
/*
 * measure.h - which time of a cost a view shows: on a processor, waiting, both, or all that passed.
 *
 * A thread pool that is idle, or a server between requests, waits nearly all the time. A report of
 * processor time and waits together then has one row that matters to nobody. So reports show the
 * time on a processor, and say in a line how much waiting there is. `--time` chooses another
 * measure.
 *
 *                 is made of struct cost's             bias of a self time        variance
 *     own         ns                                   error_ns                   variance
 *     cpu         cpu_ns                               error_ns - wait_error_ns   variance
 *     wait        wait_ns                              wait_error_ns              0
 *     wall        cpu_ns + wait_ns + preempted_ns      error_ns                   variance
 *
 * The bias of a total is lengthened_ns for `wait`, the rest of all_error_ns for `cpu`, and
 * all_error_ns for the others.
 *
 * Why the bars are so: samples and the hooks' cost make processor time uncertain, and nothing else
 * is. The kernel notes the beginning and the end of each absence, so waits are exact in their sum.
 * But hooks of other threads may have lengthened them (lengthened.h), and the division of a node's
 * waits among the rows `[wait] ...` may be estimated (load/waits.h). wait_error_ns has both doubts;
 * the second is in no total. The sum of `own` has the doubts of both parts.
 *
 * Each measure is a linear function of a cost's members. A sum of costs is a sum in each measure,
 * so the laws of parents and children (tree/derive.h) hold for each measure by itself. No measure
 * is cut off at zero here.
 *
 * Where the measure is chosen: `--time` (options/options_shown.c) puts it into struct options, and
 * view_open() into the view, after the profile has said which measures it knows
 * (load_unknown_measure()). Without `--time`, a command that has `cpu_first` (command/command.h)
 * shows `cpu`; all other commands show `own`, and so do
 *
 *     - profiles that do not tell waits from processor time: the head of the report says so;
 *     - a frame or a single call: a slow request waited;
 *     - `--waits` and `--sort waited`, which show the parts of `own`;
 *     - profiles that were recorded with offcpu=1: who asks what was waited for wants to see it.
 *
 * A view never reads `ns` of a cost: it asks view_shown() for the cost in the view's measure, whose
 * ns and bars are those of the table above. Gates, comparisons, and members of JSON and columns of
 * exports with names of their own read the members of struct cost, so their meaning never changes
 * with the measure.
 */
#ifndef REPORT_MEASURE_H
#define REPORT_MEASURE_H

#include <stdbool.h>

#include "report/core/times/cost.h"

enum time_measure { TIME_OWN, TIME_CPU, TIME_WAIT, TIME_WALL, TIME_MEASURES };

/* C with the time of a measure, and its errors, in ns, error_ns, all_error_ns and variance. */
struct cost measure_cost(enum time_measure m, const struct cost *c);

/* As --time has it: "cpu". */
const char *measure_name(enum time_measure m);

/* False: NAME is none. */
bool measure_parse(const char *name, enum time_measure *m);

#endif
