/* SPDX-License-Identifier: MIT */
/* options-help: what --help prints. Apart, to keep options.c short. */
#ifndef VM_6502_OPTIONS_HELP_H
#define VM_6502_OPTIONS_HELP_H

#include <stdio.h>

void options_help(FILE *to);

#endif
