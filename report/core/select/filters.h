/* SPDX-License-Identifier: MIT */
/*
 * filters.h - the three kinds of filter.
 *
 *     restrict (--thread, --under)            a smaller tree: some contexts, with their own numbers
 *     make transparent (--not, --only)        another tree: as if some zones had no hooks
 *     select (--func, --module, --min ...)    the same tree and numbers, fewer rows
 *
 * The first two kinds change the tree, in that order. Everything is derived from the changed tree
 * as from any tree, so the sums hold in it. --recursion=spread is one more such change.
 */
#ifndef REPORT_FILTERS_H
#define REPORT_FILTERS_H

#include "report/core/times/measure.h"
#include "report/core/tree/derive.h"
#include "report/core/pattern/groups.h"

enum filter_sort {
	FILTER_SORT_DEFAULT,
	FILTER_SORT_SELF,
	FILTER_SORT_TOTAL,
	FILTER_SORT_CALLS,
	FILTER_SORT_ERROR,
	FILTER_SORT_NAME,
	FILTER_SORT_WAITED,
	FILTER_SORT_COUNTER, /* by the total of `sort_counter` */
	FILTER_SORT_LED_SELF,
	FILTER_SORT_LED_TOTAL /* by the counter that leads a view (listing.h) */
};

struct filters {
	struct patterns thread; /* by name or number: restrict */
	struct patterns pid;    /* number of the process: restrict */
	uint32_t recording;     /* as in struct load_set, which applies it: restrict */
	struct patterns under;
	struct patterns not_in, only; /* make transparent */
	/* Select: of every kind that is given, a row must match at least one pattern. */
	struct patterns func, group, module, file;
	double min_percent;
	uint32_t depth; /* 0: any */
	size_t limit;   /* 0: any */
	enum filter_sort sort;
	const char *sort_name; /* name of an interpreter's counter; NULL: none */
	size_t sort_counter;   /* its column, known when profiles are loaded */
	bool spread;
};

void filters_free(struct filters *f);

/*
 * Checks that each pattern of each filter matches something in the profile, and names no unknown
 * group. Otherwise the pattern is probably a typing error, which an empty table would hide. False
 * with a message.
 */
bool filters_check(const struct filters *f, const struct zones *zones, const struct tree *t,
		   const struct groups *g, struct str *err);

/* Whether a pattern matches a thread, by name or number; or the number of its process. */
bool filters_thread_matches(const struct pattern *p, const struct tree_thread *t);
bool filters_pid_matches(const struct pattern *p, const struct tree_thread *t);

/* One flag per zone number: whether any of the patterns matches the zone. free() it. */
bool *filters_zones(const struct patterns *p, const struct zones *zones, const struct groups *g);

/*
 * Applies the filters to FROM and makes TO, a tree of its own: only the contexts to which the view is
 * restricted, without the transparent zones, whose callees move to their callers, and with recursion
 * spread. Spreading adds a zone to ZONES for each depth of a recursion.
 */
void filters_tree(struct tree *to, const struct tree *from, const struct filters *f,
		  struct zones *zones, const struct groups *g);

/* Whether the filters leave the tree as it is, so that filters_tree() need not be called. */
bool filters_keep_tree(const struct filters *f);

/* Splits a tree into COUNT trees. Thread i of FROM, with its nodes, goes into tree PART_OF[i], or
 * nowhere if that is TREE_NONE. Call tree_free() for each, and free() the array. */
struct tree *filters_split(const struct tree *from, const uint32_t *part_of, size_t count);

/* Splits a tree into one for each thread, in their order. */
struct tree *filters_split_threads(const struct tree *from);

/* One flag per function: whether its row is selected. free() it. Ignores the limit. */
bool *filters_select(const struct filters *f, const struct derived *d, const struct zones *zones,
		     const struct groups *g, enum time_measure m);

/* Adds a sentence about the restricting and transparent filters in use, for a report's head;
 * nothing if there are none. */
void filters_describe(const struct filters *f, struct str *text);

#endif
