/* SPDX-License-Identifier: MIT */
/* environment.h - where a process runs: its environment, its host, its rank in a parallel job. */
#ifndef ZPROF_ENVIRONMENT_H
#define ZPROF_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The program's environment (`environ`), or, while that is NULL, the environment that the program
 * was started with. (libc's constructors set `environ`; .preinit_array and a program's malloc run
 * before them.)
 */
char **environment_variables(void);

/* The value of one variable; NULL: it is not set. */
const char *environment_value(const char *name);

/*
 * Copies the value of an option in ZPROF_OPTIONS, before the options are read. False: it is not set, or
 * longer. NAME has its '='.
 */
bool environment_option(const char *name, char *value, size_t bytes);

/* The host's name (65 bytes), and the rank in a parallel job ("0" outside of such a job). */
void environment_host(char *host);
const char *environment_rank(void);

#endif
