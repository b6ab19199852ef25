/* SPDX-License-Identifier: MIT */
/*
 * opened.h - which rows of a tree the user has opened or closed. A row is known by its key, which is
 * the same in each reading of a profile. A list of the keys that were turned is enough: a user turns
 * some dozens.
 */
#ifndef REPORT_OPENED_H
#define REPORT_OPENED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct opened {
	uint64_t *keys;
	size_t count, room;
};

/* Whether the row with KEY shows what is below it. A ROOT does until it is closed. */
bool opened_has(const struct opened *o, uint64_t key, bool root);

/* Opens a row, or closes it. */
void opened_turn(struct opened *o, uint64_t key);

void opened_free(struct opened *o);

#endif
