/* SPDX-License-Identifier: MIT */
/* planner.c - see planner.h. */
#include "symbolize/plan/planner.h"

#include "preload/displace/plan_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Cuts codes that overlap, and has them refused: one of the two tables is wrong. */
static void cut_overlaps(struct planner *p)
{
	for (size_t n = 0; n + 1 < p->frames.fde_count; n++) {
		struct frames_fde *fde = &p->frames.fdes[n];
		if (fde->bytes > fde[1].start - fde->start) {
			fde->bytes = fde[1].start - fde->start;
			p->codes[n].unknown = p->codes[n + 1].unknown = true;
		}
	}
}

static bool begin(struct planner *p)
{
	size_t text = (p->module.text_end - p->module.text_start) / 8 + 1;
	p->codes = calloc(p->frames.fde_count + 1, sizeof(p->codes[0]));
	p->starts = calloc(text, 1);
	p->boundaries = calloc(text, 1);
	p->targets = calloc(text, 1);
	if (!p->codes || !p->starts || !p->boundaries || !p->targets)
		return false;
	for (size_t n = 0; n < p->frames.fde_count; n++)
		planner_set(p, p->starts, p->frames.fdes[n].start);
	cut_overlaps(p);
	return true;
}

static void end(struct planner *p)
{
	free(p->codes);
	free(p->starts);
	free(p->boundaries);
	free(p->targets);
	free(p->jumps);
	free(p->strays);
	free(p->rules);
	free(p->bases);
	frames_free(&p->frames);
	module_close(&p->module);
}

/* Fills in what the header says of the file. */
static void describe(struct plan_header *h, const struct module *m, enum plan_module verdict)
{
	memcpy(h->magic, PLAN_MAGIC, sizeof(h->magic));
	h->version = PLAN_VERSION;
	h->header_bytes = sizeof(*h);
	h->module = verdict;
	h->image_bytes = m->image_bytes;
	h->build_id_bytes = m->build_id_bytes;
	memcpy(h->build_id, m->build_id, m->build_id_bytes);
	h->elf_bytes = (uint64_t)m->stat.st_size;
	h->elf_device = m->stat.st_dev;
	h->elf_inode = m->stat.st_ino;
	h->elf_changed_ns =
	    (uint64_t)m->stat.st_mtim.tv_sec * 1000000000u + (uint64_t)m->stat.st_mtim.tv_nsec;
}

/* The tables of a plan while they are filled. */
struct tables {
	struct plan_code *codes;
	struct plan_window *windows;
	struct plan_instruction *instructions;
};

/* Fills the tables, and counts in the header what is in them. */
static void fill(struct planner *p, struct plan_header *h, struct tables *t)
{
	h->codes = (uint32_t)p->frames.fde_count;
	for (uint32_t n = 0; n < h->codes; n++) {
		struct planner_code *c = &p->codes[n];
		struct plan_window *w = &t->windows[h->windows];
		struct plan_instruction *i = &t->instructions[h->instructions];
		bool function = c->class == PLAN_CLASS_FUNCTION;
		bool patched = function && planner_window(p, n, w, i);
		t->codes[n] = (struct plan_code){.start = p->frames.fdes[n].start,
						 .bytes = p->frames.fdes[n].bytes,
						 .owner = c->owner,
						 .window = PLAN_NOBODY,
						 .class = c->class,
						 .refusal = c->refusal};
		h->functions += function;
		if (!patched)
			continue;
		t->codes[n].window = h->windows++;
		w->first_instruction = h->instructions;
		h->instructions += w->instructions;
	}
}

/* Puts header and tables one behind the other. */
static void *lay_out(struct plan_header *h, const struct tables *t, size_t *bytes)
{
	size_t codes = h->codes * sizeof(t->codes[0]);
	size_t windows = h->windows * sizeof(t->windows[0]);
	size_t instructions = h->instructions * sizeof(t->instructions[0]);
	*bytes = h->file_bytes = sizeof(*h) + codes + windows + instructions;
	char *plan = malloc(*bytes);
	if (!plan)
		return NULL;
	memcpy(plan, h, sizeof(*h));
	if (codes)
		memcpy(plan + sizeof(*h), t->codes, codes);
	if (windows)
		memcpy(plan + sizeof(*h) + codes, t->windows, windows);
	if (instructions)
		memcpy(plan + sizeof(*h) + codes + windows, t->instructions, instructions);
	struct plan_header *header = (void *)plan;
	header->sum = plan_sum(plan, *bytes);
	return plan;
}

static void *write_plan(struct planner *p, enum plan_module verdict, size_t *bytes)
{
	struct plan_header h = {0};
	size_t count = p->frames.fde_count;
	struct tables t = {malloc(count * sizeof(t.codes[0]) + 1),
			   malloc((count + 1) * sizeof(t.windows[0])),
			   malloc((count + 1) * PLAN_INSTRUCTIONS * sizeof(t.instructions[0]))};
	void *plan = NULL;
	describe(&h, &p->module, verdict);
	if (t.codes && t.windows && t.instructions) {
		if (verdict == PLAN_MODULE_NONE)
			fill(p, &h, &t);
		plan = lay_out(&h, &t, bytes);
	}
	free(t.codes);
	free(t.windows);
	free(t.instructions);
	return plan;
}

/* Tables may lead to code that has not been decoded, and that code may have tables. */
static void find_tables(struct planner *p)
{
	size_t bases;
	unsigned rounds = 0;
	do {
		planner_find_tables(p);
		bases = p->base_count;
		planner_sweep_strays(p);
	} while (p->base_count != bases && ++rounds < 8);
}

const char *planner_make(const char *path, void **plan, size_t *bytes)
{
	struct planner p = {0};
	bool absent;
	enum plan_module verdict = module_open(&p.module, path, &absent);
	if (absent)
		return strerror(errno);
	if (verdict == PLAN_MODULE_NONE && !frames_read(&p.frames, &p.module))
		verdict = PLAN_MODULE_DAMAGED;
	*plan = NULL;
	if (verdict != PLAN_MODULE_NONE) {
		frames_free(&p.frames);
	} else if (begin(&p)) {
		planner_sweep(&p);
		planner_sweep_strays(&p);
		planner_find_evidence(&p);
		find_tables(&p);
		planner_classify(&p);
	} else {
		p.exhausted = true;
	}
	if (!p.exhausted)
		*plan = write_plan(&p, verdict, bytes);
	end(&p);
	return *plan ? NULL : strerror(ENOMEM);
}
