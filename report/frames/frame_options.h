/* SPDX-License-Identifier: MIT */
/*
 * frame_options.h - the options that name a frame: --frame, --slowest, --kind. All views have them,
 * to show one frame alone; `zprof frames` shows the frame beside the others.
 */
#ifndef REPORT_FRAME_OPTIONS_H
#define REPORT_FRAME_OPTIONS_H

#include "report/core/load/loader.h"
#include "report/core/options/options.h"
#include "report/frames/frame_pick.h"

struct frame_options {
	struct frame_pick pick, second; /* a comparison of two frames has both, in order */
	bool beside; /* the whole profile is loaded, and the frame shown beside it */
};

extern const struct loader frames_loader;

/* For any view, and for `zprof frames`. */
extern const struct option_spec frame_options_alone[], frame_options_beside[];

struct frame_options *frame_options(struct options *o);

#endif
