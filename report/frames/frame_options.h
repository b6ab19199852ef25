/* SPDX-License-Identifier: MIT */
/*
 * frame_options.h - the options that name a frame: --frame, --slowest, --kind. With those of all
 * views a frame is shown alone; `zprof frames` shows it beside the others.
 */
#ifndef REPORT_FRAME_OPTIONS_H
#define REPORT_FRAME_OPTIONS_H

#include "report/core/load/loader.h"
#include "report/core/options/options.h"
#include "report/frames/frame_pick.h"

struct frame_options {
	struct frame_pick pick, second; /* in order: a comparison may have two */
	bool beside; /* the frame is shown beside all that is loaded, not loaded alone */
};

extern const struct loader frames_loader;

/* For any view, and for `zprof frames`. */
extern const struct option_spec frame_options_alone[], frame_options_beside[];

struct frame_options *frame_options(struct options *o);

#endif
