/* SPDX-License-Identifier: MIT */
/*
 * frame_options.h - which frames the options of a command ask for. All views have options that show
 * one frame alone; `zprof frames` shows the frame beside the others.
 */
#ifndef REPORT_FRAME_OPTIONS_H
#define REPORT_FRAME_OPTIONS_H

#include "report/core/load/loader.h"
#include "report/core/view/options.h"
#include "report/frames/frame_pick.h"

struct frame_options {
	struct frame_pick pick, second; /* a comparison of two frames has both, in order */
	bool beside; /* the whole profile is loaded, and the frame shown beside it */
	bool tails;  /* single calls alone are shown */
};

extern const struct loader frames_loader;

extern const struct option_spec frame_options_table[]; /* ends with a name of NULL */

struct frame_options *frame_options(struct options *o);

#endif
