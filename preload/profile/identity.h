/* SPDX-License-Identifier: MIT */
/*
 * identity.h - texts of a profile about its process: command line, executable, host, rank, options.
 */
#ifndef ZPROF_IDENTITY_H
#define ZPROF_IDENTITY_H

#include <stdint.h>

struct process;

/*
 * The environment: the program's, or, where the program has none, the one at its start. (A program
 * has none before libc's constructors have run, and .preinit_array and malloc run before.)
 */
char **identity_variables(void);

/* The value of one variable; NULL: it is not set. */
const char *identity_environment(const char *name);

/* The host's name (65 bytes), and the rank in a parallel job: "0" outside of one. */
void identity_host(char *host);
const char *identity_rank(void);

/* Leaves a line for the heads of reports: `what`, then a number. */
void identity_note(struct process *p, const char *what, uint64_t number);

/* Writes the texts, and the zone `[zprof]`. */
void identity_write(struct process *p);

#endif
