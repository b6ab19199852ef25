/* SPDX-License-Identifier: MIT */
/*
 * identity.h - what a profile says of its process: command line, executable, host, rank, options;
 * and the run it belongs to.
 *
 * All processes of a run share a run id, so that reports can add them up. The first one draws it,
 * and the programs it starts find it in their environment as ZPROF_RUN, `:` and its pid behind it;
 * `zprof record` sets it beforehand, without a pid.
 */
#ifndef ZPROF_IDENTITY_H
#define ZPROF_IDENTITY_H

#include <stdint.h>

struct process;

/*
 * The environment: the program's, or, where it has none, the one it was started with. (It has none
 * before libc's constructors have run, and .preinit_array and malloc run before.)
 */
char **identity_variables(void);

/* The value of one variable; NULL: it is not set. */
const char *identity_environment(const char *name);

/*
 * The parent's for a forked child, the environment's, or a new one: then p->first is set. It is set
 * too when the environment's was drawn by this very process, which has become another program.
 */
void identity_choose_run(struct process *p, const struct process *from);
void identity_pass_on_run(const uint8_t *id);

/* Writes the texts, and the zone `[zprof]`. */
void identity_write(struct process *p);

#endif
