/* SPDX-License-Identifier: MIT */
/* instructions.c - see instructions.h. */
#include "report/annotate/instructions.h"

#include <stdlib.h>
#include <string.h>

#include "report/annotate/disassemble.h"
#include "report/core/base/memory.h"
#include "report/core/names/facts.h"

struct making {
	struct instructions *in;
	struct view *view;
	const bool *shown;
	struct disassembler *disassembler;
	unsigned machine; /* that it is for */
	uint32_t *first;  /* by zone: 1 + index of its own part; 0: none */
	uint32_t *next;   /* by part: 1 + index of the same zone's next part; 0: none */
	size_t next_room;
};

/* ---- parts */

static bool is_code(const struct zone *z)
{
	return !z->kind && z->module != ZONE_NO_MODULE;
}

static struct code_part *add_part(struct making *m, uint32_t zone, const struct fact_name *f)
{
	struct instructions *in = m->in;
	struct code_part *p = memory_next(in->parts, in->count, in->room);
	*p = (struct code_part){.zone = zone, .start = f->start, .size = f->size, .name = f->name};
	m->next = memory_room(m->next, in->count, &m->next_room, sizeof *m->next);
	m->next[in->count - 1] = m->first[zone];
	m->first[zone] = (uint32_t)in->count;
	return p;
}

static struct code_part *part_at(const struct making *m, uint32_t zone, uint64_t address)
{
	for (uint32_t at = m->first[zone]; at; at = m->next[at - 1]) {
		struct code_part *p = &m->in->parts[at - 1];
		if (address - p->start < p->size)
			return p;
	}
	return NULL;
}

/* Finds the parts of a zone, one of which must be at ADDRESS if its bounds are known. */
static void find_part(struct making *m, uint32_t zone, uint64_t address)
{
	const struct zones *zones = &m->view->load.zones;
	const struct zone *z = &zones->list[zone];
	if (part_at(m, zone, address))
		return;
	struct fact_name f = facts_name(zones, z->module, address);
	if (!f.size || address - f.start >= f.size)
		return;
	if (f.start == z->address)
		f.name = NULL;
	add_part(m, zone, &f);
}

/*
 * Gives EACH all addresses of samples in functions that are shown, and of calls that they made: an
 * address lies in the instruction. Samples in modules other than the function's belong to no part.
 */
static void each_place(struct making *m,
		       void (*each)(struct making *m, uint32_t zone, uint64_t address,
				    const struct node *n, const struct tree_call *c))
{
	const struct tree *t = m->view->tree;
	const struct zones *zones = &m->view->load.zones;
	for (size_t i = 0; i < t->count; i++) {
		const struct node *n = &t->nodes[i];
		for (uint32_t at = n->first_call; at; at = t->calls[at].next) {
			const struct tree_call *c = &t->calls[at];
			const struct code_place *p = &m->view->load.places.list[c->place];
			uint32_t zone = c->sampled ? n->zone : t->nodes[n->parent].zone;
			const struct zone *z = &zones->list[zone];
			if (c->place && m->shown[zone] && is_code(z) && p->module == z->module &&
			    !p->inlined)
				each(m, zone, p->address - 1, n, c);
		}
	}
}

static void want_part(struct making *m, uint32_t zone, uint64_t address, const struct node *n,
		      const struct tree_call *c)
{
	(void)n;
	(void)c;
	find_part(m, zone, address);
}

/* ---- their instructions */

/* The same disassembler serves all parts, unless profiles of several processors are merged. */
static bool ready_for(struct making *m, unsigned machine)
{
	if (m->disassembler && m->machine == machine)
		return true;
	disassembler_free(m->disassembler);
	m->machine = machine;
	m->disassembler = disassembler_new(machine, &m->in->why);
	return m->disassembler;
}

static void add_fact(struct str *to, const struct disassembled *d, const struct fact_name *f)
{
	str_add(to, d->jumps ? " <" : "  # ");
	if (!f->known)
		str_add(to, "%llx", (unsigned long long)d->to);
	else if (d->to == f->start)
		str_add(to, "%s", f->name);
	else
		str_add(to, "%s+0x%llx", f->name, (unsigned long long)(d->to - f->start));
	str_add(to, d->jumps ? ">" : "");
}

/* Adds what an instruction refers to: ` <march+0x12>`, where it jumps to; `  # table`, what it reads. */
static void add_name(struct making *m, const struct code_part *p, const struct disassembled *d)
{
	const struct zones *zones = &m->view->load.zones;
	uint32_t module = zones->list[p->zone].module;
	if (!d->to || (d->jumps && d->to - p->start < p->size))
		return;
	if (!d->jumps) {
		struct fact_name variable = facts_variable(zones, module, d->to);
		if (variable.known) {
			add_fact(&m->in->texts, d, &variable);
			return;
		}
	}
	struct fact_name function = facts_bare_name(zones, module, d->to);
	if (function.known || !d->jumps)
		add_fact(&m->in->texts, d, &function);
}

static void disassemble(struct making *m, struct code_part *p, const unsigned char *code)
{
	struct disassembled d;
	size_t room = 0;
	for (uint64_t at = 0; at < p->size; at += d.size) {
		disassembler_take(m->disassembler, code + at, p->size - at, p->start + at, &d);
		struct instruction *i = memory_next(p->list, p->count, room);
		*i = (struct instruction){
		    .address = d.address, .size = d.size, .text = m->in->texts.used};
		str_add(&m->in->texts, "%s", d.text);
		add_name(m, p, &d);
		str_add_bytes(&m->in->texts, "", 1);
	}
}

struct lining {
	struct places *places;
	struct code_part *part;
	size_t at;
};

static bool line(void *context, const struct symbolize_line *l)
{
	struct lining *c = context;
	struct code_part *p = c->part;
	uint32_t file = l->line && l->file ? places_file(c->places, l->file) : 0;
	for (; c->at < p->count && p->list[c->at].address < l->start + l->size; c->at++) {
		struct instruction *i = &p->list[c->at];
		if (i->address < l->start || !file)
			continue;
		i->file = file;
		i->line = l->line;
	}
	return true;
}

static void read_part(struct making *m, struct code_part *p)
{
	struct load *load = &m->view->load;
	const struct zone *z = &load->zones.list[p->zone];
	struct symbolize_module *module = load->zones.modules[z->module].symbols;
	struct lining c = {.places = &load->places, .part = p};
	unsigned machine;
	const unsigned char *code = symbolize_bytes(module, p->start, p->size, &machine);
	if (!code && !m->in->why.used)
		str_add(&m->in->why,
			"the file '%s' has no code of '%s': it is not there, or another build",
			load->zones.modules[z->module].path, z->name);
	if (!code || !ready_for(m, machine))
		return;
	disassemble(m, p, code);
	symbolize_lines(module, p->start, p->size, line, &c);
}

/* ---- what each cost */

static struct instruction *instruction_at(const struct code_part *p, uint64_t address)
{
	size_t low = 0, high = p->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->list[middle].address + p->list[middle].size <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->count && p->list[low].address <= address ? &p->list[low] : NULL;
}

static void add_place(struct making *m, uint32_t zone, uint64_t address, const struct node *n,
		      const struct tree_call *c)
{
	struct code_part *p = part_at(m, zone, address);
	struct instruction *i = p ? instruction_at(p, address) : NULL;
	double unplaced;
	if (!p)
		return;
	if (!c->sampled) {
		if (i)
			i->calls += c->calls;
		return;
	}
	struct cost share = {0};
	lines_add_sampled(&share, n, c->self_ns, tree_sampled_weight(m->view->tree, n, &unplaced));
	p->weight += cost_self_weight(&share);
	if (!i)
		return;
	cost_add_share(&i->own, &share, 1);
	i->has_own = true;
}

static int by_weight(const void *left, const void *right)
{
	const struct code_part *a = left, *b = right;
	return memory_order(b->weight, a->weight) ?: memory_order(a->start, b->start);
}

void instructions_make(struct instructions *in, struct annotate *a)
{
	struct making m = {.in = in, .view = a->view, .shown = a->listing.is_shown};
	*in = (struct instructions){0};
	m.first = memory_zeroed(a->view->load.zones.count, sizeof *m.first);
	each_place(&m, want_part);
	for (size_t i = 0; i < in->count; i++)
		read_part(&m, &in->parts[i]);
	each_place(&m, add_place);
	memory_sort(in->parts, in->count, by_weight);
	disassembler_free(m.disassembler);
	free(m.first);
	free(m.next);
}

void instructions_free(struct instructions *in)
{
	for (size_t i = 0; i < in->count; i++)
		free(in->parts[i].list);
	free(in->parts);
	str_free(&in->texts);
	str_free(&in->why);
}

const char *instructions_text(const struct instructions *in, const struct instruction *i)
{
	return in->texts.text + i->text;
}
