/* SPDX-License-Identifier: MIT */
/*
 * commands.h - the table of subcommands. A feature's commands are in zprof because this table names
 * them; only `main` and the feature `help` read it. Options that a feature lends to all views stand
 * beside it (options_shared.h).
 */
#ifndef REPORT_COMMANDS_H
#define REPORT_COMMANDS_H

#include "report/core/command/command.h"

extern const struct command *const commands[]; /* ends with NULL */

const struct command *commands_find(const char *name);

struct near;

/* Tries the names of all commands that are listed: see near.h. */
void commands_try_names(struct near *n);

#endif
