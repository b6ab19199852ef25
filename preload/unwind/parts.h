/* SPDX-License-Identifier: MIT */
/*
 * parts.h - exits from functions that the compiler has split, which come from another frame than
 * the entry.
 *
 * Compilers split functions (gcc's -fpartial-inlining, at -O2; clang's hot-cold splitting): f's
 * beginning is inlined into its callers, and the rest becomes a function of its own, a *part*. So
 * the two hooks of one call of f are called from two frames:
 *
 *     caller: enter f                          CFA ->  | frame of caller: f is open here |
 *             if (early out) exit f                    |                                 |
 *             else call f.part.0               CFA ->  |---------------------------------|
 *     f.part.0: ..., exit f                            | frame of f.part.0: none is open |
 *
 * The same holds for functions inlined into f's beginning. And a part may call a part: where g
 * begins with a call of f, g's part calls f's part.
 *
 * So if an exit's zone is not open in the frame that the exit comes from, the exit ends the
 * innermost zone of its function in the next frame up that has open zones. Three conditions must
 * hold:
 *
 *   - by the return addresses on the stack, that frame called the exit's frame, directly or by way
 *     of a few parts. So the frame is alive, and was not left by a jump;
 *   - no handler's frame lies between: a handler ends only zones that it has begun;
 *   - the exit does not come from the function itself, but from a part, or from an inlined copy.
 *     The function itself has an entry of its own in the same frame. If that entry's zone is not
 *     open, the entry was lost.
 *
 * Activations of a recursive f are told apart by frames: each is open in its caller's frame. The
 * caller may be f's part, if f's beginning is inlined there too. Then the exit of the innermost
 * activation comes from the part called last, in whose frame no zone is open; the exit of the
 * activation before comes from the frame that the innermost one was open in until then.
 */
#ifndef ZPROF_PARTS_H
#define ZPROF_PARTS_H

#include "preload/code/location.h"
#include "preload/track/track.h"

/*
 * For an exit whose zone is not open in its own frame, `cfa`: the innermost zone of the frame where
 * the exit may end a zone. NULL: there is no such frame.
 */
struct open_zone *parts_frame(const struct track *track, const struct event *e, uintptr_t cfa,
			      const struct location *where);

/* For the same exit: the zone that it ends in that frame, or NULL. */
struct open_zone *parts_open(const struct track *track, const struct event *e, uintptr_t cfa,
			     const struct location *where);

#endif
