/* SPDX-License-Identifier: MIT */
/*
 * profile_layout.h - between the two halves of the profile builder: what it read from its text, and
 * the file made of that.
 */
#ifndef TESTS_PROFILE_LAYOUT_H
#define TESTS_PROFILE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/format.h"

#define MAX_DEPTH 4096

struct bytes {
	char *data;
	size_t used, room;
};

struct spec_node {
	uint64_t zone;
	uint32_t module, parent; /* index, UINT32_MAX for a root */
	uint64_t calls;
	int64_t self;
	bool open;
	uint32_t flags; /* ZPROF_NODE_ */
	uint32_t thread;
};

struct spec_zone {
	char name[64];
	uint32_t id;
};

struct builder {
	struct zprof_header header;
	/* Records; nodes are struct spec_node, and others name them by index. */
	struct bytes modules, zones, texts, nodes, threads, turns, extras, samples, unsures,
	    insides, kernels, chains, waits, vias, refused;
	struct spec_zone *names;
	size_t name_count;
	uint64_t module_starts[64];
	uint32_t path[MAX_DEPTH]; /* by depth, the latest node: [0] the thread's root */
	uint32_t per_section;
	size_t line;
};

/* Adds N bytes, or zeros up to a multiple. */
void layout_put(struct bytes *b, const void *data, size_t n);
void layout_pad(struct bytes *b, size_t multiple);

/* The whole file. References in B become those of the file. */
void *layout_file(struct builder *b, size_t *bytes);

#endif
