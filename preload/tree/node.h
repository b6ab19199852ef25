/* SPDX-License-Identifier: MIT */
/*
 * node.h - a node by its reference: the number of its place in the profile (format.h), counted from
 * the profile's base in units of a node. The profile itself never holds an address.
 */
#ifndef ZPROF_NODE_H
#define ZPROF_NODE_H

#include "preload/format.h"

#include <stdint.h>

static inline struct zprof_node *node_at(char *base, uint32_t reference)
{
	return (struct zprof_node *)(base + (uintptr_t)reference * ZPROF_NODE_BYTES);
}

static inline uint32_t node_reference(const char *base, const struct zprof_node *node)
{
	return (uint32_t)(((uintptr_t)node - (uintptr_t)base) / ZPROF_NODE_BYTES);
}

#endif
