/* SPDX-License-Identifier: MIT */
/*
 * own_names.h - which names the recorder gives to the profiles of one run. By these `zprof rm`
 * knows them from files that a user has named for a purpose.
 *
 * The library makes a name from a pattern: %p becomes the number of the process, and `.2`, `.3` is
 * appended if a name is taken. `zprof reset` appends `.base`. One file of a run, and the number of
 * its process, show the pattern:
 *
 *     zprof.out.4711, of process 4711     zprof.out.%p     so zprof.out.4712 of process 4712 fits,
 *                                                          and base.zp of process 4711 does not
 *     sim.zp.2, of process 4712           sim.zp           so sim.zp, sim.zp.2 and sim.zp.3 fit
 */
#ifndef REPORT_OWN_NAMES_H
#define REPORT_OWN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "report/core/base/str.h"

/* The pattern from which the recorder made NAME (a path) for the profile of process PID. As in
 * output=, `%p` is the number and `%%` a percent sign. The pattern has no folder. */
void own_names_pattern(const char *name, uint32_t pid, struct str *pattern);

/* Adds NAME to the pattern as literal text. */
void own_names_literal(struct str *pattern, const char *name, size_t bytes);

/* Whether the recorder may have made NAME (a path) for process PID from the pattern. */
bool own_names_fit(const char *pattern, const char *name, uint32_t pid);

#endif
