/* SPDX-License-Identifier: MIT */
/*
 * identity.h - texts of a profile about its process: command line, executable, host, rank, options.
 */
#ifndef ZPROF_IDENTITY_H
#define ZPROF_IDENTITY_H

#include <stdint.h>

struct process;

/* Writes a line into the profile which reports print at their head: `what`, then a number. */
void identity_note(struct process *p, const char *what, uint64_t number);

/* Writes the texts into a profile that begins. */
void identity_write(struct process *p);

#endif
