/* SPDX-License-Identifier: MIT */
/*
 * output.h - the file that a command writes: made anew, and removed if it could not be written
 * whole.
 */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/base/str.h"

struct output {
	FILE *to;
	const char *path; /* NULL: stdout */
};

/* False with a message. */
bool output_open(struct output *o, const char *path, struct str *err);

/* WHOLE: all was written. Gives it back, or false with a message if something was lost. */
bool output_close(struct output *o, bool whole, struct str *err);

#endif
