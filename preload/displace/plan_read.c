/* SPDX-License-Identifier: MIT */
/* plan_read.c - see plan_read.h. */
#include "preload/displace/plan_read.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/format.h"
#include "preload/code/module.h"

#include <linux/limits.h>
#include <unistd.h>

#define INSTRUCTION_BYTES 15u
#define DISTANCE_BYTES    sizeof(int32_t)
#define ENDBR64_BYTES     4u

static void find_parts(struct plan_read *plan, const struct plan_header *h)
{
	plan->header = h;
	plan->codes = (const struct plan_code *)(h + 1);
	plan->windows = (const struct plan_window *)(plan->codes + h->codes);
	plan->instructions = (const struct plan_instruction *)(plan->windows + h->windows);
}

static bool header_is_right(const struct plan_header *h, size_t bytes)
{
	return bytes >= sizeof(*h) && !memcmp(h->magic, PLAN_MAGIC, sizeof(h->magic)) &&
	       h->version == PLAN_VERSION && h->header_bytes == sizeof(*h) &&
	       h->file_bytes == bytes && h->module < PLAN_MODULES &&
	       h->image_bytes <= PLAN_IMAGE_BYTES && h->build_id_bytes <= PLAN_BUILD_ID &&
	       sizeof(*h) + (uint64_t)h->codes * sizeof(struct plan_code) +
		       (uint64_t)h->windows * sizeof(struct plan_window) +
		       (uint64_t)h->instructions * sizeof(struct plan_instruction) ==
		   bytes;
}

static bool code_is_right(const struct plan_read *plan, uint32_t i)
{
	const struct plan_header *h = plan->header;
	const struct plan_code *c = &plan->codes[i];
	uint64_t end = (uint64_t)c->start + c->bytes;
	bool has_window = c->class == PLAN_CLASS_FUNCTION && c->refusal == PLAN_REFUSAL_NONE;

	return c->bytes && end <= h->image_bytes &&
	       (!i || plan->codes[i - 1].start + plan->codes[i - 1].bytes <= c->start) &&
	       c->class < PLAN_CLASSES && c->refusal < PLAN_REFUSALS &&
	       (c->owner == PLAN_NOBODY || c->owner < h->codes) &&
	       (has_window ? c->window < h->windows && plan->windows[c->window].code == i
			   : c->window == PLAN_NOBODY);
}

static bool instruction_is_right(const struct plan_read *plan, const struct plan_window *w,
				 const struct plan_instruction *m, uint32_t at, bool last)
{
	static const bool ends[PLAN_KINDS] = {
#define PLAN_KIND(name, word, ends) [PLAN_KIND_##name] = (ends),
#include "preload/displace/plan.def"
	};
	bool operand = m->kind == PLAN_KIND_OPERAND || m->kind == PLAN_KIND_OPERAND_END;

	return m->kind < PLAN_KINDS && (last || !ends[m->kind]) && m->at == at && m->length &&
	       m->length <= INSTRUCTION_BYTES && at + m->length <= w->bytes &&
	       m->target < plan->header->image_bytes && m->condition < 16 &&
	       (m->displacement_at ? (operand || m->kind == PLAN_KIND_CALL_INDIRECT) &&
					 m->displacement_at + DISTANCE_BYTES <= m->length
				   : !operand) &&
	       (m->kind == PLAN_KIND_CALL_INDIRECT ? m->modrm_at && m->modrm_at < m->length
						   : !m->modrm_at);
}

/* The instructions of a window follow those of the one before, and cover it, but for padding. */
static bool window_is_right(const struct plan_read *plan, uint32_t i, uint32_t first)
{
	const struct plan_header *h = plan->header;
	const struct plan_window *w = &plan->windows[i];
	const struct plan_code *c;
	uint32_t at = 0, k, end = w->patch + w->bytes;

	if (w->code >= h->codes || w->first_instruction != first || !w->instructions ||
	    w->instructions > PLAN_INSTRUCTIONS || w->instructions > h->instructions - first ||
	    w->bytes < PLAN_JUMP_BYTES || w->bytes > PLAN_WINDOW_BYTES || w->relay)
		return false;
	c = &plan->codes[w->code];
	if (c->window != i || (w->patch != c->start && w->patch != c->start + ENDBR64_BYTES) ||
	    end < w->patch || end > h->image_bytes ||
	    (w->code + 1 < h->codes && end > plan->codes[w->code + 1].start))
		return false;
	for (k = 0; k < w->instructions; k++) {
		const struct plan_instruction *m = &plan->instructions[first + k];

		if (!instruction_is_right(plan, w, m, at, k + 1u == w->instructions))
			return false;
		at += m->length;
	}
	return w->patch + at <= c->start + c->bytes;
}

bool plan_check(const struct plan_header *header, size_t bytes)
{
	struct plan_read plan;
	uint32_t i, first = 0;

	if (!header_is_right(header, bytes))
		return false;
	find_parts(&plan, header);
	for (i = 0; i < header->codes; i++)
		if (!code_is_right(&plan, i))
			return false;
	for (i = 0; i < header->windows; first += plan.windows[i++].instructions)
		if (!window_is_right(&plan, i, first))
			return false;
	return first == header->instructions;
}

/* ---- the plan of a module */

static bool is_of(const struct plan_header *h, const struct module *m)
{
	const struct zprof_module *r = m->record;
	uint32_t bytes =
	    h->build_id_bytes < r->build_id_bytes ? h->build_id_bytes : r->build_id_bytes;

	return bytes && !memcmp(h->build_id, r->build_id, bytes) &&
	       h->image_bytes <= m->end - m->start;
}

static bool path_of(char *path, size_t room, const char *folder, const unsigned char *build_id,
		    uint32_t bytes)
{
	static const char digits[] = "0123456789abcdef";
	struct text t;
	uint32_t i;

	text_init(&t, path, room);
	text_add(&t, folder);
	text_add(&t, "/");
	for (i = 0; i < bytes; i++) {
		text_char(&t, digits[build_id[i] >> 4]);
		text_char(&t, digits[build_id[i] & 15]);
	}
	text_add(&t, ".plan");
	return bytes && !t.cut;
}

bool plan_is_there(const char *folder, const unsigned char *build_id, uint32_t bytes)
{
	char path[PATH_MAX];

	return path_of(path, sizeof(path), folder, build_id, bytes) &&
	       !sys2(SYS_access, path, R_OK);
}

bool plan_open(struct plan_read *plan, const char *folder, const struct module *m)
{
	char path[PATH_MAX];
	long bytes;

	if (!path_of(path, sizeof(path), folder, m->record->build_id, m->record->build_id_bytes))
		return false;
	bytes = sys_read_file(path, &plan->memory, &plan->mapped);
	if (bytes < 0)
		return false;
	find_parts(plan, (const struct plan_header *)plan->memory);
	plan->base = m->start;
	if (plan_check(plan->header, (size_t)bytes) && is_of(plan->header, m))
		return true;
	plan_close(plan);
	return false;
}

void plan_close(struct plan_read *plan)
{
	sys_memory_free(plan->memory, plan->mapped);
}

bool plan_function(const struct plan_read *plan, uint32_t window, struct displaced *d)
{
	const struct plan_window *w = &plan->windows[window];

	d->base = plan->base;
	d->window = w;
	d->moved = &plan->instructions[w->first_instruction];
	d->function = plan->base + plan->codes[w->code].start;
	d->patch = plan->base + w->patch;
	return !memcmp((const void *)d->patch, w->original, w->bytes);
}
