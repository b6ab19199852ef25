/* SPDX-License-Identifier: MIT */
/* below.c - see below.h. */
#include "report/core/load/below.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/load/load.h"
#include "report/core/names/facts.h"

/* The error of time that was divided in the proportions of other samples, beside the share of other
 * places, as for waits (waits.c). */
#define SHARED_ERROR 0.1

#define NOT_LOOKED_UP UINT32_MAX
#define OF_ITSELF     0u /* no zone has this number */

/* A row below a context: the function, and its share of what can be divided. */
struct row {
	uint32_t zone;
	double share;
};

/* Samples of a context whose chain of functions is known. */
struct path {
	uint32_t zone; /* of the function that ran */
	uint32_t chain;
	double ns;
};

struct below {
	struct load *l;
	struct row *rows; /* of one context that has chains */
	size_t row_count, row_room;
	struct path *paths; /* likewise */
	size_t path_count, path_room;
	uint32_t *zones; /* by place: the zone of the function there; NOT_LOOKED_UP; OF_ITSELF */
	bool *hooked;    /* by place: that zone has hooks */
	bool kernel_named, kernel_nameless; /* a place in the kernel has a function; has none */
};

/* ---- which function a place lies in */

static uint32_t sampled_without_place(struct below *b, const char *name)
{
	return zones_sampled(&b->l->zones, &(struct zone_sampled){
					       .name = name, .file = "", .module = ZONE_NO_MODULE});
}

static uint32_t module_zone(struct below *b, uint32_t module)
{
	const char *path = b->l->zones.modules[module].path;
	struct str name = {0};
	str_add(&name, "[%s] (sampled)", zones_base_name(path));
	uint32_t number = sampled_without_place(b, name.text);
	str_free(&name);
	return number;
}

static uint32_t kernel_zone(struct below *b, const char *function)
{
	struct str name = {0};
	str_add(&name, "[kernel]%s%s (sampled)", *function ? " " : "", function);
	uint32_t number = sampled_without_place(b, name.text);
	str_free(&name);
	return number;
}

static uint32_t function_zone(struct below *b, uint32_t module, const struct fact_name *f)
{
	struct str name = {0};
	str_add(&name, "%s (sampled)", f->name);
	struct zone_sampled of = {.name = name.text,
				  .file = f->file ? f->file : "",
				  .line = f->line,
				  .module = module,
				  .address = f->start,
				  .nameless = !f->known};
	of.after = f->known ? NULL : facts_after(&b->l->zones, module, f->start);
	uint32_t number = zones_sampled(&b->l->zones, &of);
	str_free(&name);
	return number;
}

/* A place of a sample is one byte behind the sample's address (load_calls.c). */
static void look_up(struct below *b, uint32_t place)
{
	const struct code_place *p = &b->l->places.list[place];
	struct zones *z = &b->l->zones;
	if (place == PLACE_UNKNOWN || p->module == ZONE_NO_MODULE) {
		b->zones[place] = OF_ITSELF;
		return;
	}
	struct fact_name f = facts_name(z, p->module, p->address - 1);
	if (z->modules[p->module].is_kernel) {
		*(f.known ? &b->kernel_named : &b->kernel_nameless) = true;
		b->zones[place] = kernel_zone(b, f.known ? f.name : "");
		return;
	}
	bool bounded = f.known || f.size; /* .eh_frame tells where nameless functions are */
	uint32_t native = bounded ? zones_native(z, p->module, f.start) : ZONE_OUTSIDE;
	b->hooked[place] = native != ZONE_OUTSIDE;
	if (native != ZONE_OUTSIDE)
		b->zones[place] = native;
	else if (bounded)
		b->zones[place] = function_zone(b, p->module, &f);
	else
		b->zones[place] = module_zone(b, p->module);
}

/* Whether the sampled function CODE is a part that the compiler has split off ZONE's function. */
static bool is_part(const struct zone *zone, const struct zone *code)
{
	size_t n = strlen(zone->name);
	return !zone->kind && zone->module == code->module && !strncmp(zone->name, code->name, n) &&
	       code->name[n] == '.';
}

static uint32_t zone_at(struct below *b, uint32_t place)
{
	if (b->zones[place] == NOT_LOOKED_UP)
		look_up(b, place);
	return b->zones[place];
}

/* The zone below N to which samples at a place go; OF_ITSELF: they stay in the node's self. */
static uint32_t zone_below(struct below *b, const struct node *n, uint32_t place)
{
	uint32_t zone = zone_at(b, place);
	const struct zone *of = &b->l->zones.list[n->zone], *code = &b->l->zones.list[zone];
	bool may_be_own = (code->module == ZONE_NO_MODULE || code->nameless) &&
			  b->l->places.list[place].module == of->module;
	if (b->hooked[place] || zone == OF_ITSELF || may_be_own || is_part(of, code))
		return OF_ITSELF;
	return zone;
}

/* The row of the kernel to which samples at a place there go. */
static uint32_t zone_in_kernel(struct below *b, uint32_t place)
{
	return place == PLACE_UNKNOWN ? kernel_zone(b, "") : zone_at(b, place);
}

/* ---- costs */

/* The part of a cost that samples can be in. Interpreters' counters and absences are not. */
static struct cost divisible(const struct cost *self)
{
	struct cost c = cost_on_processor(self);
	if (self->ns > c.ns && c.ns >= 0)
		c.ticks = llround((double)self->ticks * (c.ns / self->ns));
	c.preempted_ns = 0;
	c.preemptions = 0;
	memset(c.counter, 0, sizeof c.counter);
	return c;
}

/* Moves a share of NODE's self time, of which WHOLE can be divided, to the context TO below it. */
static void move_share(struct below *b, uint32_t node, uint32_t to, const struct cost *whole,
		       double share)
{
	struct tree *t = &b->l->tree;
	struct cost part = {0};
	cost_add_share(&part, whole, share);
	cost_add(&t->nodes[to].self, &part);
	cost_subtract(&t->nodes[node].self, &part);
}

/* Moves a share to NODE's row for ZONE; of a NODE that has chains, later, when all of the row is known. */
static void move_to_row(struct below *b, uint32_t node, uint32_t zone, const struct cost *whole,
			double share)
{
	size_t i = 0;
	if (!b->path_count) {
		move_share(b, node, tree_child(&b->l->tree, node, zone), whole, share);
		return;
	}
	while (i < b->row_count && b->rows[i].zone != zone)
		i++;
	if (i == b->row_count)
		*memory_next(b->rows, b->row_count, b->row_room) = (struct row){.zone = zone};
	b->rows[i].share += share;
}

/* ---- chains */

/* Collects the chains of NODE that end in a row. */
static void find_paths(struct below *b, uint32_t node)
{
	const struct tree *t = &b->l->tree;
	b->path_count = b->row_count = 0;
	for (uint32_t at = t->nodes[node].first_chain; at; at = t->calls[at].next) {
		const struct tree_call *c = &t->calls[at];
		uint32_t zone = c->kernel ? zone_in_kernel(b, c->place)
					  : zone_below(b, &t->nodes[node], c->place);
		if (zone != OF_ITSELF && c->self_ns > 0)
			*memory_next(b->paths, b->path_count, b->path_room) =
			    (struct path){zone, c->chain, c->self_ns};
	}
}

/* The context for a function that was called in the context ABOVE. */
static uint32_t called_in(struct below *b, uint32_t above, uint32_t zone)
{
	if (b->l->tree.nodes[above].zone == zone)
		return above;
	return tree_child(&b->l->tree, above, zone);
}

/* The context of the last function of a chain below NODE. What is NODE's own is no row here, either. */
static uint32_t context_of(struct below *b, uint32_t node, uint32_t chain)
{
	if (chain == CHAIN_NONE)
		return node;
	struct chain_link link = b->l->chains.links[chain];
	uint32_t above = context_of(b, node, link.outer);
	uint32_t zone = zone_below(b, &b->l->tree.nodes[node], link.place);
	return zone == OF_ITSELF ? above : called_in(b, above, zone);
}

/*
 * Divides a row among the chains that end in it. The row stands for NS. Where chains tell of less, as
 * some samples have none, the rest stays directly below NODE; where of more, since addresses gave way
 * and their chains did not, all of the row is theirs.
 */
static void divide_row(struct below *b, uint32_t node, const struct row *row,
		       const struct cost *whole, double ns)
{
	double all = 0;
	for (size_t i = 0; i < b->path_count; i++)
		all += b->paths[i].zone == row->zone ? b->paths[i].ns : 0;
	double each = row->share / fmax(all, ns);
	for (size_t i = 0; all > 0 && i < b->path_count; i++) {
		const struct path *path = &b->paths[i];
		if (path->zone != row->zone)
			continue;
		uint32_t to = called_in(b, context_of(b, node, path->chain), row->zone);
		move_share(b, node, to, whole, path->ns * each);
	}
	if (all < ns)
		move_share(b, node, tree_child(&b->l->tree, node, row->zone), whole,
			   (ns - all) * each);
}

/*
 * Moves SHARE of NODE's self time, which was spent in the kernel, to the kernel's functions. Samples
 * whose place in the kernel gave way to others, or was not kept at all, are in no function of it. If it
 * was their place in the program that gave way, there are more samples than SHARE is for.
 */
static void divide_kernel(struct below *b, uint32_t node, const struct cost *whole, double share,
			  double ns)
{
	struct tree *t = &b->l->tree;
	double named = 0;
	for (uint32_t at = t->nodes[node].first_kernel; at; at = t->calls[at].next)
		named += t->calls[at].self_ns;
	double each = share / fmax(named, ns);
	for (uint32_t at = t->nodes[node].first_kernel; at; at = t->calls[at].next) {
		move_to_row(b, node, zone_at(b, t->calls[at].place), whole,
			    t->calls[at].self_ns * each);
	}
	if (named < ns)
		move_to_row(b, node, kernel_zone(b, ""), whole, (ns - named) * each);
}

/* Moves the shares of NODE's self time that belong to functions without hooks to its children. */
static void divide(struct below *b, uint32_t node)
{
	struct tree *t = &b->l->tree;
	struct cost whole = divisible(&t->nodes[node].self);
	size_t first = t->count;
	double unplaced, weights = tree_sampled_weight(t, &t->nodes[node], &unplaced);
	double kernel_ns = 0;
	find_paths(b, node);
	for (uint32_t at = t->nodes[node].first_call; at && weights > 0; at = t->calls[at].next) {
		if (!t->calls[at].sampled || !t->calls[at].place || t->calls[at].self_ns <= 0)
			continue;
		if (t->calls[at].kernel) {
			kernel_ns += t->calls[at].self_ns;
		} else {
			uint32_t zone = zone_below(b, &t->nodes[node], t->calls[at].place);
			if (zone == OF_ITSELF)
				continue;
			move_to_row(b, node, zone, &whole, t->calls[at].self_ns / weights);
		}
		t->calls[at].self_ns = 0; /* what is left weighs what is left of the self time */
	}
	if (kernel_ns > 0)
		divide_kernel(b, node, &whole, kernel_ns / weights, kernel_ns);
	for (size_t i = 0; i < b->row_count; i++)
		divide_row(b, node, &b->rows[i], &whole, b->rows[i].share * weights);
	for (size_t i = first; i < t->count; i++) {
		struct cost *self = &t->nodes[i].self;
		self->error_ns +=
		    self->ns * unplaced * fmin(1, SHARED_ERROR + 1 - self->ns / whole.ns);
	}
}

static bool has_self(const struct zones *z, const struct node *n)
{
	uint32_t kind = z->list[n->zone].kind;
	return n->zone != ZONE_OUTSIDE && kind != ZPROF_ZONE_OWN && kind != ZPROF_ZONE_WAIT;
}

void below_divide(struct load *l)
{
	struct below b = {.l = l};
	size_t nodes = l->tree.count;
	b.zones = memory_resize(NULL, l->places.count, sizeof *b.zones);
	memset(b.zones, 0xff, l->places.count * sizeof *b.zones);
	b.hooked = memory_zeroed(l->places.count, sizeof *b.hooked);
	for (size_t i = 0; i < nodes; i++)
		if (has_self(&l->zones, &l->tree.nodes[i]))
			divide(&b, (uint32_t)i);
	tree_seal(&l->tree);
	l->kernel_nameless = b.kernel_nameless && !b.kernel_named;
	free(b.zones);
	free(b.hooked);
	free(b.rows);
	free(b.paths);
}
