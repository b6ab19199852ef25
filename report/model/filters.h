/* SPDX-License-Identifier: MIT */
/*
 * filters.h - the three kinds of filter.
 *
 *     restrict (--thread, --under)          a smaller tree: only some contexts, whose numbers are
 * their own make transparent (--not, --only)      another tree: zones that are out were never
 * instrumented select (--func, --module, --min ...)  the same tree and numbers, fewer rows
 *
 * The first two give a tree, in that order, from which all is derived as from any other; so the
 * sums hold in it. --recursion= spread is one more such change of the tree.
 */
#ifndef REPORT_FILTERS_H
#define REPORT_FILTERS_H

#include "report/model/derive.h"
#include "report/model/groups.h"

enum filter_sort {
	FILTER_SORT_DEFAULT,
	FILTER_SORT_SELF,
	FILTER_SORT_TOTAL,
	FILTER_SORT_CALLS,
	FILTER_SORT_ERROR,
	FILTER_SORT_NAME,
	FILTER_SORT_COUNTER /* sort_counter says which */
};

struct filters {
	struct patterns thread; /* by name or number: restrict */
	struct patterns under;
	struct patterns not_in, only; /* make transparent */
	struct patterns func, group, module,
	    file; /* select: all kinds given must agree, any pattern of a kind */
	double min_percent;
	uint32_t depth; /* 0: any */
	size_t limit;   /* 0: any */
	enum filter_sort sort;
	const char *sort_name; /* of a counter that an interpreter lent; NULL: none */
	size_t sort_counter;   /* its column, known when profiles are loaded */
	bool spread;
};

void filters_free(struct filters *f);

/*
 * False with a message when a pattern of any filter matches nothing in the profile, or names a
 * group that is not there: somebody meant something else, and a table without rows is no answer.
 */
bool filters_check(const struct filters *f, const struct zones *zones, const struct tree *t,
		   const struct groups *g, struct str *err);

/* By name, or by number. */
bool filters_thread_matches(const struct pattern *p, const struct tree_thread *t);

/* A flag a zone, by zone number: whether any of the patterns match it. free() it. */
bool *filters_zones(const struct patterns *p, const struct zones *zones, const struct groups *g);

/* FROM restricted, made transparent and spread into TO, which is a tree of its own. ZONES grows
 * when recursion is spread. */
void filters_tree(struct tree *to, const struct tree *from, const struct filters *f,
		  struct zones *zones, const struct groups *g);

/* Whether the filters leave the tree as it is, so that filters_tree() need not be called. */
bool filters_keep_tree(const struct filters *f);

/* A tree for each thread, in their order. tree_free() each, and free() the array. */
struct tree *filters_split(const struct tree *from);

/* A flag a function: whether its row is to be seen. free() it. Knows nothing of the limit. */
bool *filters_select(const struct filters *f, const struct derived *d, const struct zones *zones,
		     const struct groups *g);

/* One sentence about the restricting and transparent filters in force, "" for none: for the head of
 * a report. */
void filters_describe(const struct filters *f, struct str *text);

#endif
