/* SPDX-License-Identifier: MIT */
/* chain.h - walks from the place of a sample to the frame of its zone, for sample/chains.h. */
#ifndef ZPROF_CHAIN_H
#define ZPROF_CHAIN_H

#include "preload/sample/chains.h"

/*
 * For chains.walk. The walk follows the words of the stack that the sample carries, and the zone
 * stack as it is now: to be called by a look of the calling thread, at level 0.
 */
enum chain_walk chain_walk(const struct zprof_node *node, const struct ring_note *note,
			   struct zprof_chain *chain);

#endif
