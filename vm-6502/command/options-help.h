/* SPDX-License-Identifier: MIT */
/* options-help: what --help prints. It is a file of its own so that options.c is about options. */
#ifndef VM_6502_OPTIONS_HELP_H
#define VM_6502_OPTIONS_HELP_H

#include <stdio.h>

void options_help(FILE *to);

#endif
