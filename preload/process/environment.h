/* SPDX-License-Identifier: MIT */
/* environment.h - where a process runs: its environment, its host, its rank in a parallel job. */
#ifndef ZPROF_ENVIRONMENT_H
#define ZPROF_ENVIRONMENT_H

/*
 * The environment: the program's, or, where it has none, the one it was started with. (It has none
 * before libc's constructors have run, and .preinit_array and malloc run before.)
 */
char **environment_variables(void);

/* The value of one variable; NULL: it is not set. */
const char *environment_value(const char *name);

/* The host's name (65 bytes), and the rank in a parallel job: "0" outside of one. */
void environment_host(char *host);
const char *environment_rank(void);

#endif
