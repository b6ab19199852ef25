/* SPDX-License-Identifier: MIT */
/*
 * interpreter.h - an interpreter inside of the program's own file, whose functions are called without a table: an
 * adapter stands in front of them by taking over their entries (displace/takeover.h). The command zprof has
 * looked whether that can be done, and gives a folder with the plan of the program (option interpreter=).
 */
#ifndef ZPROF_INTERPRETER_H
#define ZPROF_INTERPRETER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether entries of the program may be taken over. Says on stderr why not, if the command meant it. */
bool interpreter_is_ready(void);

/*
 * Has ours[i] called in the place of functions[i], which becomes what to call for the function itself.
 * False: not all are taken over.
 */
bool interpreter_take(void **functions, void *const *ours, size_t count);

#endif
