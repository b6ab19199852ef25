/* SPDX-License-Identifier: MIT */
/*
 * sampled.h - which zone the place of a sample belongs to, where functions end without a hook.
 *
 * A look charges samples after the last entry and before the next (sample/notes.h). With exits, all
 * of them belong to the zone on top. Without exits, that zone may have ended before the sample came,
 * and so may zones below it. So each sample carries sp, rbp and the first words of the stack
 * (series.h), and its place is compared with the zone stack as that was after the last entry:
 *
 *     zone stack    main, f, g     g has returned
 *     sample        in memset(), called by f:    walk memset's frame -> f's frame: equal to f's zone
 *
 * The comparison is that of entries.h: by frame and by function. No entry has come since, so every
 * frame that is open at the sample is either on the zone stack, or is one of code without hooks, or
 * is that of a function whose hook has not been reached yet.
 *
 * A walk sees only the words that the sample has copied. A frame of the program's own code needs
 * none of them: its CFA follows from sp or rbp. A frame of a library is left by words of the stack.
 * If a word is missing, the sample belongs to the innermost zone that the walk has not ruled out, and
 * that is not certain (struct zprof_unsure). A sample from another stack than the one that the track
 * knows stays with the look's node, and is not certain either.
 */
#ifndef ZPROF_SAMPLED_H
#define ZPROF_SAMPLED_H

#include "preload/track/track.h"

struct ring_note;

/* For notes.place (sample/notes.h). To be called by a look of the calling thread, at level 0. */
struct zprof_node *sampled_node(struct zprof_node *node, const struct ring_note *note, bool *sure);

/* To be called before the look of event `e`: finds out where it comes from (notes.comes_from). */
void sampled_before_look(struct track *k, const struct event *e);

#endif
