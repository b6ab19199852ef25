/* SPDX-License-Identifier: MIT */
/* callgraph_options.h - what `zprof report`, `zprof graph` and `zprof groups` alone are asked for. */
#ifndef REPORT_CALLGRAPH_OPTIONS_H
#define REPORT_CALLGRAPH_OPTIONS_H

#include "report/core/options/options_shared.h"
#include "report/core/view/view.h"

struct callgraph_options {
	bool no_via;  /* report and graph */
	bool callers; /* report */
	bool sites;   /* graph */
	bool matrix;  /* groups */
};

static inline const struct callgraph_options *callgraph_asked(const struct view *v)
{
	return v->options->own;
}

extern const struct option_spec callgraph_option_all[], callgraph_option_no_via[],
    callgraph_option_waits[];

#endif
