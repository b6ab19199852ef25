/* SPDX-License-Identifier: MIT */
/* judge_cells.h - the lines of JSON that `judge cell` prints, read again. */
#ifndef BENCH_TRUTH_JUDGE_CELLS_H
#define BENCH_TRUTH_JUDGE_CELLS_H

#include <jansson.h>

#include "tests/bench/truth/judge.h"

/* An array of all cells in the file; NULL, and a message, where it cannot be read. */
json_t *judge_load(const char *path);

/* A member of a cell; "" and 0 where it has none. */
const char *cell_text(const json_t *cell, const char *name);
double cell_number(const json_t *cell, const char *name);

#endif
