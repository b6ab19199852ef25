/* SPDX-License-Identifier: MIT */
/*
 * model_compare.h - the library's zone stack, contexts and counters beside the reference's. Where
 * they differ, the batch ends (world_fail()).
 */
#ifndef MODEL_COMPARE_H
#define MODEL_COMPARE_H

#include "preload/track/track.h"

void compare_must(const char *what, uint64_t got, uint64_t wanted);

/* NULL, or what is wrong with it (preload/track/sound.h). */
void compare_sound(const char *wrong);

/* After every event: which zones are open on that level. */
void compare_path(int level);

/* Calls and ticks of every context; losses and repairs. */
void compare_contexts(void);
void compare_counters(void);

/* The track of that level. */
struct track *compare_track(int level);

#endif
