/* SPDX-License-Identifier: MIT */
/*
 * commands.h - the table of subcommands. A feature's commands are in zprof because this table lists
 * them. Only `main` and the feature `help` read the table.
 */
#ifndef REPORT_COMMANDS_H
#define REPORT_COMMANDS_H

#include "report/core/command/command.h"

extern const struct command *const commands[]; /* ends with NULL */

const struct command *commands_find(const char *name);

struct near;

/* Compares a mistyped name with the names of all listed commands: see near.h. */
void commands_try_names(struct near *n);

#endif
