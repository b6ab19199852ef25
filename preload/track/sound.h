/* SPDX-License-Identifier: MIT */
/*
 * sound.h - functions that check the invariants of zone stacks and trees. Tests call them after
 * events; libzprof.so does not contain them.
 *
 * Each returns NULL, or a sentence that says what does not hold.
 */
#ifndef ZPROF_SOUND_H
#define ZPROF_SOUND_H

struct process;
struct track;
struct tree;

/* The invariants of track.h. No hook may be in progress on the track. */
const char *track_sound(const struct track *track);

/* The invariants of tree.h: looks at every node. */
const char *tree_sound(const struct process *p, const struct tree *tree);

#endif
