/* SPDX-License-Identifier: MIT */
/*
 * own_names.h - which names the recorder gives to the profiles of one run, so that `zprof rm` can
 * tell them from files that somebody has named for a purpose.
 *
 * The library makes a name of a pattern: the number of the process stands for %p, and `.2`, `.3` is
 * appended where a name is taken. `zprof reset` appends `.base`. From one file of a run, and the
 * number of its process, the pattern can be told:
 *
 *     zprof.out.4711, of process 4711     zprof.out.%p     so zprof.out.4712 of process 4712 is one,
 *                                                          and base.zp of process 4711 is not
 *     sim.zp.2, of process 4712           sim.zp           so sim.zp, sim.zp.2 and sim.zp.3 are
 */
#ifndef REPORT_OWN_NAMES_H
#define REPORT_OWN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "report/core/base/str.h"

/*
 * The pattern by which NAME (a path) was given to the profile of process PID, in the words of
 * output=: `%p` for the number, `%%` for a percent sign; without folder.
 */
void own_names_pattern(const char *name, uint32_t pid, struct str *pattern);

/* Adds NAME to the pattern as it is. */
void own_names_literal(struct str *pattern, const char *name, size_t bytes);

/* Whether the recorder may have given NAME (a path) to a profile of process PID by that pattern. */
bool own_names_fit(const char *pattern, const char *name, uint32_t pid);

#endif
