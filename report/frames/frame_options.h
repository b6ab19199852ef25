/* SPDX-License-Identifier: MIT */
/*
 * frame_options.h - which frames the options of a command ask for: those of all views, which show a
 * frame alone, and those of `zprof frames`, which shows it beside the others.
 */
#ifndef REPORT_FRAME_OPTIONS_H
#define REPORT_FRAME_OPTIONS_H

#include "report/core/load/loader.h"
#include "report/core/options/options.h"
#include "report/frames/frame_pick.h"

struct frame_options {
	struct frame_pick pick, second; /* in order: a comparison may have two */
	bool beside; /* the frame is shown beside all that is loaded, not loaded alone */
	bool tails;  /* single calls alone are shown */
};

extern const struct loader frames_loader;

extern const struct option_spec frame_options_table[]; /* ends with a name of NULL */

struct frame_options *frame_options(struct options *o);

#endif
