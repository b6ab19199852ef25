/* SPDX-License-Identifier: MIT */
/* choose_command.h - what 'zprof watch' and 'zprof unwatch' have in common: all but their help. */
#ifndef REPORT_CHOOSE_COMMAND_H
#define REPORT_CHOOSE_COMMAND_H

#include "preload/process/request.h"
#include "report/core/command/command.h"

/*
 * Takes PROCESS PATTERN... from the words, asks the process, waits, and prints the result. SELF is
 * the command's name. Returns the exit status.
 */
int choose_command(const char *self, enum request_what what, struct options *o, struct str *err);

#endif
