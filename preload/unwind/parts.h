/* SPDX-License-Identifier: MIT */
/*
 * parts.h - functions that the compiler has split: an exit that comes from another frame than the
 * entry.
 *
 * Compilers split functions (gcc's -fpartial-inlining, at -O2; clang's hot-cold splitting): f's
 * beginning is inlined into its callers, the rest becomes a function of its own, and the hooks of
 * one call of f come from two frames:
 *
 *     caller: enter f                          CFA ->  | frame of caller: f is open here |
 *             if (early out) exit f                    |                                 |
 *             else call f.part.0               CFA ->  |---------------------------------|
 *     f.part.0: ..., exit f                            | frame of f.part.0: none is open |
 *
 * The same holds for what was inlined into f's beginning. And parts call parts: where g begins with
 * a call of f, g's part calls f's.
 *
 * So an exit that finds its zone not open in the frame it comes from ends the innermost zone of
 * that name in the next frame with open zones, provided that
 *
 *   - that is a frame below which the exit's was called, by way of parts at the most, as the return
 *     addresses on the stack say. It is alive, then: what a jump has left is not believed to go on;
 *   - it is not the frame that a handler interrupted: a handler ends only what it has begun;
 *   - the exit does not come from the function itself (`where` is inlined, or a part). The function
 *     itself begins with an enter of its own, which has been lost if it is not found.
 *
 * Recursion by way of a part is told apart by the frames: each activation has one in which it is
 * open, its caller's. Where the beginning of f is inlined into f's part too, the exit of the
 * innermost activation comes from the part that was called last, in whose own frame nothing is
 * open; that of the one before from the frame in which the innermost was open a moment ago.
 */
#ifndef ZPROF_PARTS_H
#define ZPROF_PARTS_H

#include "preload/code/location.h"
#include "preload/track/track.h"

/*
 * For an exit that ends nothing in its own frame, `cfa`: the innermost zone of the frame in which
 * it may end one. NULL: there is no such frame.
 */
struct open_zone *parts_frame(const struct track *track, const struct event *e, uintptr_t cfa,
			      const struct location *where);

/* The zone that it ends there, or NULL. */
struct open_zone *parts_open(const struct track *track, const struct event *e, uintptr_t cfa,
			     const struct location *where);

#endif
