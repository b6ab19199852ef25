/* SPDX-License-Identifier: MIT */
/*
 * cpuprofile.c - the profile format of Chrome's DevTools. VS Code shows such profiles over the
 * source of any language:
 * https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
 *
 * Each context is a node with one sample, which lasts as long as the context's self time. A thread
 * is a node below the root. Lines count from 0, and times are in microseconds.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/export/export.h"
#include "report/export/walk.h"

#define ROOT_ID  1
#define START_US 1e6 /* DevTools shows nothing of a profile that starts at 0 */

struct cpuprofile {
	const struct export *e;
	struct tree_children children;
	uint32_t *samples; /* nodes that have a weight, callers before callees */
	size_t sample_count;
};

/* The root has its own id; the ids of tree nodes follow. */
static uint32_t id_of(uint32_t node)
{
	return ROOT_ID + 1 + node;
}

static void put_frame(const struct export *e, uint32_t id, const char *name, const char *file,
		      uint32_t line, uint64_t calls)
{
	fprintf(e->to, "%s{\"id\":%u,\"callFrame\":{\"functionName\":", id == ROOT_ID ? "" : ",\n",
		id);
	export_json_text(e, name);
	fputs(",\"scriptId\":\"0\",\"url\":", e->to);
	struct str url = {0};
	str_add(&url, "%s%s", *file == '/' ? "file://" : "", file);
	export_json_text(e, str_text(&url));
	str_free(&url);
	fprintf(e->to, ",\"lineNumber\":%d,\"columnNumber\":0},\"hitCount\":%" PRIu64,
		line ? (int)line - 1 : -1, calls);
}

static void put_children(const struct cpuprofile *p, uint32_t first)
{
	if (first != TREE_NONE)
		fputs(",\"children\":[", p->e->to);
	for (uint32_t i = first; i != TREE_NONE; i = p->children.next[i])
		fprintf(p->e->to, "%s%u", i == first ? "" : ",", id_of(i));
	fputs(first != TREE_NONE ? "]}" : "}", p->e->to);
}

static void put_node(void *context, uint32_t node, uint32_t depth)
{
	struct cpuprofile *p = context;
	const struct node *n = &p->e->tree->nodes[node];
	const struct zone *z = &p->e->zones->list[n->zone];
	(void)depth;
	put_frame(p->e, id_of(node), export_zone_name(p->e, n->zone), z->file, z->line,
		  p->e->view->sampled ? (uint64_t)n->self.samples : n->calls);
	put_children(p, p->children.first[node]);
	if (export_weight(p->e, n))
		p->samples[p->sample_count++] = node;
}

static void put_nodes(struct cpuprofile *p)
{
	static const struct walk steps = {put_node, NULL};
	const struct tree *t = p->e->tree;
	struct str name = {0};
	put_frame(p->e, ROOT_ID, "(root)", "", 0, 0);
	fputs(",\"children\":[", p->e->to);
	for (uint32_t i = 0; i < t->thread_count; i++)
		fprintf(p->e->to, "%s%u", i ? "," : "", id_of(t->threads[i].root));
	fputs("]}", p->e->to);
	for (uint32_t i = 0; i < t->thread_count; i++) {
		uint32_t root = t->threads[i].root;
		export_thread_name(p->e, i, &name);
		put_frame(p->e, id_of(root), name.text, "", 0, 0);
		put_children(p, p->children.first[root]);
		walk_thread(t, &p->children, i, &steps, p);
	}
	str_free(&name);
}

/*
 * The length of a sample. DevTools divides times by 1000, multiplies them again, and then compares
 * whether one sample begins where another ended. Each time is a multiple of 2^-20 ms, which is 0.95
 * ns, so that none of these steps rounds. If only calls were recorded, a call counts as a
 * microsecond.
 */
static double microseconds(const struct cpuprofile *p, int64_t weight)
{
	double ms = (double)weight / (p->e->view->counts_only ? 1e3 : 1e6);
	return round(ms * 0x1p20) * 0x1p-20 * 1000;
}

/* Writes the samples. Each lasts until the next; a last one, of the root, has no length. */
static void put_samples(struct cpuprofile *p)
{
	int64_t at = 0;
	fputs("],\n\"samples\":[", p->e->to);
	for (size_t i = 0; i < p->sample_count; i++)
		fprintf(p->e->to, "%u,", id_of(p->samples[i]));
	fprintf(p->e->to, "%d],\n\"timeDeltas\":[0", ROOT_ID);
	for (size_t i = 0; i < p->sample_count; i++) {
		double begin = microseconds(p, at);
		at += export_weight(p->e, &p->e->tree->nodes[p->samples[i]]);
		fprintf(p->e->to, ",%.17g", microseconds(p, at) - begin);
	}
	fprintf(p->e->to, "],\n\"startTime\":%.17g,\"endTime\":%.17g}\n", START_US,
		START_US + microseconds(p, at));
}

static bool write_profile(const struct export *e, struct str *err)
{
	struct cpuprofile p = {.e = e, .children = tree_children(e->tree)};
	(void)err;
	p.samples = memory_resize(NULL, e->tree->count, sizeof *p.samples);
	fputs("{\"nodes\":[", e->to);
	put_nodes(&p);
	put_samples(&p);
	tree_children_free(&p.children);
	free(p.samples);
	return true;
}

const struct export_format cpuprofile_format = {
    .name = "cpuprofile",
    .begins = "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":",
    .summary = "Chrome's DevTools",
    .adds_up = true,
    .write = write_profile,
};
