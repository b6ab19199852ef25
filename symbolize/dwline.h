/* SPDX-License-Identifier: MIT */
/* The line table of a unit: the line of an address, and the lines of a stretch of code. */
#ifndef SYMBOLIZE_DWLINE_H
#define SYMBOLIZE_DWLINE_H

#include <stddef.h>
#include <stdint.h>

#include "symbolize/dwunit.h"
#include "symbolize/symbolize.h"

/* Fills *LINE, except start and size, and returns true; false when ADDRESS has no line. */
bool dwline_find(struct dwunit *unit, uint64_t address, struct symbolize_line *line);

/*
 * Calls EACH as symbolize_lines() says for [START, END), which are addresses less BIAS. Addresses
 * passed to EACH have BIAS added. Returns how many times EACH was called.
 */
size_t dwline_each(struct dwunit *unit, uint64_t start, uint64_t end, uint64_t bias,
		   symbolize_line_fn *each, void *context);

#endif
