/* SPDX-License-Identifier: MIT */
/* options-help: the text of --help, in a file of its own to keep options.c short. */
#ifndef VM_6502_OPTIONS_HELP_H
#define VM_6502_OPTIONS_HELP_H

#include <stdio.h>

void options_help(FILE *to);

#endif
