/* SPDX-License-Identifier: MIT */
/* frame_options.h - the options that name a frame (frame_pick.h): --frame, --slowest, --kind. */
#ifndef REPORT_FRAME_OPTIONS_H
#define REPORT_FRAME_OPTIONS_H

#include "report/core/options/options.h"

/* For any view: it shows this frame alone. */
extern const struct option_spec frame_options[];

/* For `zprof frames`: it shows this frame beside all others. */
extern const struct option_spec frame_options_beside[];

#endif
