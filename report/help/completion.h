/* SPDX-License-Identifier: MIT */
/* completion.h - completion scripts for three shells; offers.h has what they offer. */
#ifndef REPORT_COMPLETION_H
#define REPORT_COMPLETION_H

#include <stdbool.h>

struct command;

/* Prints the script for SHELL: bash, zsh or fish. False if it is none of them. COMMANDS: all, up to
 * a NULL. */
bool completion_print(const char *shell, const struct command *const *commands);

#endif
