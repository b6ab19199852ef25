/* SPDX-License-Identifier: MIT */
/* profile_layout.c - see profile_layout.h: sections, one behind the other, and references between
 * them. */
#include "tests/core/profile_layout.h"

#include <stdlib.h>
#include <string.h>

void layout_put(struct bytes *b, const void *data, size_t n)
{
	if (b->used + n > b->room) {
		b->room = (b->used + n) * 2;
		b->data = realloc(b->data, b->room);
	}
	memcpy(b->data + b->used, data, n);
	b->used += n;
}

void layout_pad(struct bytes *b, size_t multiple)
{
	static const char zeros[4096];
	layout_put(b, zeros, (multiple - b->used % multiple) % multiple);
}

static void put_section(struct bytes *file, uint32_t type, uint32_t thread, const void *records,
			size_t n)
{
	struct zprof_section s = {.type = type, .thread = thread, .used = sizeof s + n};
	s.bytes = (s.used + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
	layout_put(file, &s, sizeof s);
	layout_put(file, records, n);
	layout_pad(file, ZPROF_GRANULE);
}

/* Where node I will be: sections of per_section nodes, one behind the other, from the file's offset
 * FIRST. */
static uint32_t reference(const struct builder *b, uint64_t first, size_t i)
{
	uint64_t section =
	    sizeof(struct zprof_section) + (uint64_t)b->per_section * ZPROF_NODE_BYTES;
	uint64_t stride = (section + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
	uint64_t offset = first + i / b->per_section * stride + sizeof(struct zprof_section) +
			  i % b->per_section * ZPROF_NODE_BYTES;
	return (uint32_t)(offset / ZPROF_NODE_BYTES);
}

static void put_nodes(const struct builder *b, struct bytes *file)
{
	const struct spec_node *all = (const struct spec_node *)b->nodes.data;
	size_t count = b->nodes.used / sizeof *all;
	uint64_t first = file->used;
	for (size_t i = 0; i < count; i += b->per_section) {
		struct bytes nodes = {0};
		for (size_t k = i; k < count && k < i + b->per_section; k++) {
			struct zprof_node n = {.zone = all[k].zone,
					       .calls = all[k].calls,
					       .self_ticks = (uint64_t)all[k].self,
					       .module = all[k].module | all[k].flags << 24};
			if (all[k].parent != UINT32_MAX)
				n.parent = reference(b, first, all[k].parent);
			layout_put(&nodes, &n, sizeof n);
		}
		put_section(file, ZPROF_SECTION_NODES, all[i].thread, nodes.data, nodes.used);
		free(nodes.data);
	}
}

/* Puts references to nodes into threads, with their open nodes. */
static void finish_threads(struct builder *b, uint64_t first)
{
	const struct spec_node *all = (const struct spec_node *)b->nodes.data;
	struct zprof_thread *threads = (struct zprof_thread *)b->threads.data;
	for (size_t i = 0; i < b->threads.used / sizeof *threads; i++)
		threads[i].root = reference(b, first, threads[i].root);
	int levels[256] = {0};
	for (size_t i = 0; i < b->nodes.used / sizeof *all; i++)
		if (all[i].open && all[i].thread < 256 && levels[all[i].thread] < ZPROF_LEVELS)
			threads[all[i].thread - 1].current[levels[all[i].thread]++] =
			    reference(b, first, i);
}

/* The same for the ways between nodes. */
static void finish_vias(struct builder *b, uint64_t first)
{
	for (size_t at = 0; at < b->vias.used;) {
		struct zprof_via v;
		memcpy(&v, b->vias.data + at, sizeof v);
		v.node = reference(b, first, v.node);
		memcpy(b->vias.data + at, &v, sizeof v);
		at += v.bytes;
	}
}

static void finish_extras(struct builder *b, uint64_t first)
{
	struct zprof_extra *all = (struct zprof_extra *)b->extras.data;
	for (size_t i = 0; i < b->extras.used / sizeof *all; i++)
		all[i].node = reference(b, first, all[i].node);
}

static void finish_samples(struct builder *b, uint64_t first)
{
	struct zprof_samples *all = (struct zprof_samples *)b->samples.data;
	for (size_t i = 0; i < b->samples.used / sizeof *all; i++)
		all[i].node = reference(b, first, all[i].node);
}

static void finish_unsures(struct builder *b, uint64_t first)
{
	struct zprof_unsure *all = (struct zprof_unsure *)b->unsures.data;
	for (size_t i = 0; i < b->unsures.used / sizeof *all; i++)
		all[i].node = reference(b, first, all[i].node);
}

static void finish_insides(struct builder *b, struct bytes *insides, uint64_t first)
{
	struct zprof_inside *all = (struct zprof_inside *)insides->data;
	for (size_t i = 0; i < insides->used / sizeof *all; i++)
		all[i].node = reference(b, first, all[i].node);
}

static void finish_chains(struct builder *b, uint64_t first)
{
	struct zprof_chain *all = (struct zprof_chain *)b->chains.data;
	for (size_t i = 0; i < b->chains.used / sizeof *all; i++)
		all[i].node = reference(b, first, all[i].node);
}

static void finish_waits(struct builder *b, uint64_t first)
{
	struct zprof_wait *all = (struct zprof_wait *)b->waits.data;
	for (size_t i = 0; i < b->waits.used / sizeof *all; i++)
		all[i].node = reference(b, first, all[i].node);
}

void *layout_file(struct builder *b, size_t *bytes)
{
	struct bytes file = {0};
	struct zprof_header *h = &b->header;
	layout_put(&file, h, sizeof *h);
	put_section(&file, ZPROF_SECTION_TEXT, 0, b->texts.data ? b->texts.data : "",
		    b->texts.used);
	put_section(&file, ZPROF_SECTION_MODULES, 0, b->modules.data ? b->modules.data : "",
		    b->modules.used);
	put_section(&file, ZPROF_SECTION_ZONES, 0, b->zones.data ? b->zones.data : "",
		    b->zones.used);
	size_t thread_bytes = sizeof(struct zprof_section) + b->threads.used;
	uint64_t first =
	    file.used + (thread_bytes + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
	finish_threads(b, first);
	put_section(&file, ZPROF_SECTION_THREADS, 0, b->threads.data ? b->threads.data : "",
		    b->threads.used);
	put_nodes(b, &file);
	finish_vias(b, first);
	finish_extras(b, first);
	finish_samples(b, first);
	finish_unsures(b, first);
	finish_insides(b, &b->insides, first);
	finish_insides(b, &b->kernels, first);
	finish_chains(b, first);
	finish_waits(b, first);
	if (b->samples.used)
		put_section(&file, ZPROF_SECTION_SAMPLES, 0, b->samples.data, b->samples.used);
	if (b->unsures.used)
		put_section(&file, ZPROF_SECTION_UNSURE, 0, b->unsures.data, b->unsures.used);
	if (b->insides.used)
		put_section(&file, ZPROF_SECTION_INSIDE, 0, b->insides.data, b->insides.used);
	if (b->refused.used)
		put_section(&file, ZPROF_SECTION_REFUSED, 0, b->refused.data, b->refused.used);
	if (b->kernels.used)
		put_section(&file, ZPROF_SECTION_KERNEL, 0, b->kernels.data, b->kernels.used);
	if (b->chains.used)
		put_section(&file, ZPROF_SECTION_CHAINS, 0, b->chains.data, b->chains.used);
	if (b->waits.used)
		put_section(&file, ZPROF_SECTION_WAITS, 0, b->waits.data, b->waits.used);
	if (b->extras.used)
		put_section(&file, ZPROF_SECTION_EXTRAS, 0, b->extras.data, b->extras.used);
	if (b->turns.used)
		put_section(&file, ZPROF_SECTION_TURNS, 0, b->turns.data, b->turns.used);
	if (b->vias.used)
		put_section(&file, ZPROF_SECTION_VIA, 0, b->vias.data, b->vias.used);
	((struct zprof_header *)file.data)->mapped_bytes = file.used;
	*bytes = file.used;
	return file.data;
}
