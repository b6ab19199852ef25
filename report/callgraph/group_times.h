/* SPDX-License-Identifier: MIT */
/*
 * group_times.h - time by groups. A tick belongs to the group of the innermost zone on its path
 * that is in a group of the metric; if there is none, to (etc), row 0. So rows sum to the whole.
 */
#ifndef REPORT_GROUP_TIMES_H
#define REPORT_GROUP_TIMES_H

#include "report/core/view/view.h"

struct group_row {
	uint64_t calls; /* entries from outside the group */
	struct cost self;
};

/* Row 0 is (etc), row i + 1 the metric's i-th group. */
struct group_times {
	struct group_row *rows;
	size_t count;
	/*
	 * Each group's time, split by the group that called it: cells[row * (count + 1) + caller].
	 * A caller is a row, or `count` if no other group called it.
	 */
	struct group_row *cells;
	struct cost whole;
	uint64_t calls;
};

void group_times_make(struct group_times *g, const struct view *v);
void group_times_free(struct group_times *g);

/* Whether rows sum to the whole and cells to their rows, to the tick. */
bool group_times_check(const struct group_times *g);

const char *group_times_name(const struct view *v, size_t row);

#endif
