/* SPDX-License-Identifier: MIT */
/*
 * notes_recorded.h - rings that a real kernel wrote, as the reader of notes finds them (notes.h).
 *
 * tests/tools/record_ring.c has recorded them, bytes and clocks, and has printed notes_rings.h.
 */
#ifndef ZPROF_TEST_NOTES_RECORDED_H
#define ZPROF_TEST_NOTES_RECORDED_H

/*
 * The thread begins to be sampled as the recorded one did; then its ring, its clocks and its counts
 * are those of the recorded thread at the end.
 */
void recorded_replay(const char *name);

#endif
