/* SPDX-License-Identifier: MIT */
/* first_view.c - see first_view.h. */
#include "report/top/first_view.h"

#include <string.h>

bool first_view_of(const char *name, bool finished, enum top_view *view, struct str *err)
{
	static const char *const names[TOP_VIEWS] = {
	    [TOP_SELF] = "self",     [TOP_TOTAL] = "total",     [TOP_GRAPH] = "",
	    [TOP_TREE] = "contexts", [TOP_GROUPS] = "groups",   [TOP_THREADS] = "threads",
	    [TOP_FRAMES] = "frames", [TOP_CALLERS] = "callers", [TOP_SOURCE] = "",
	};
	for (int i = 0; i < TOP_VIEWS; i++)
		if (!name ||
		    (*names[i] && !strcmp(name, names[i]) && (finished || i != TOP_CALLERS))) {
			*view = (enum top_view)i;
			return true;
		}
	return str_fail(err,
			"--view is self, total, %scontexts, groups, threads or frames, not '%s'",
			finished ? "callers, " : "", name);
}

enum top_column first_view_sort(enum filter_sort sort)
{
	switch (sort) {
	case FILTER_SORT_DEFAULT:
		return TOP_COLUMNS;
	case FILTER_SORT_SELF:
		return TOP_SELF_SHARE;
	case FILTER_SORT_CALLS:
		return TOP_CALLS;
	case FILTER_SORT_ERROR:
		return TOP_BAR;
	case FILTER_SORT_WAITED:
		return TOP_WAITED;
	case FILTER_SORT_NAME:
		return TOP_NAME;
	case FILTER_SORT_COUNTER:
		return TOP_COUNTER; /* which one is known when a profile is loaded */
	default:
		return TOP_TOTAL_SHARE;
	}
}
