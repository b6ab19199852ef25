/* SPDX-License-Identifier: MIT */
/* choose_command.h - what 'zprof watch' and 'zprof unwatch' have in common: all but their help. */
#ifndef REPORT_CHOOSE_COMMAND_H
#define REPORT_CHOOSE_COMMAND_H

#include "preload/process/request.h"
#include "report/core/command/command.h"

/* PROCESS PATTERN...: asks, waits, and prints the result. Returns the exit status. */
int choose_command(const struct command *self, enum request_what what, int argc, char **argv);

#endif
