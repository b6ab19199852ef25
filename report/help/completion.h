/* SPDX-License-Identifier: MIT */
/* completion.h - completion of zprof's commands, options, groups and files, for three shells. */
#ifndef REPORT_COMPLETION_H
#define REPORT_COMPLETION_H

#include <stdbool.h>

/* Prints the script for SHELL: bash, zsh or fish. False if it is none of them. */
bool completion_print(const char *shell);

#endif
