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

struct below {
	struct load *l;
	uint32_t *zones; /* by place: the zone of the function there; NOT_LOOKED_UP; OF_ITSELF */
	bool *hooked;    /* by place: that zone has hooks */
	bool kernel_named, kernel_nameless; /* a place in the kernel has a function; has none */
};

/* ---- which function a place lies in */

static uint32_t module_zone(struct below *b, uint32_t module)
{
	const char *path = b->l->zones.modules[module].path;
	struct str name = {0};
	str_add(&name, "[%s] (sampled)", zones_base_name(path));
	uint32_t number = zones_sampled(&b->l->zones, name.text, "", 0, ZONE_NO_MODULE, 0);
	str_free(&name);
	return number;
}

static uint32_t kernel_zone(struct below *b, const char *function)
{
	struct str name = {0};
	str_add(&name, "[kernel]%s%s (sampled)", *function ? " " : "", function);
	uint32_t number = zones_sampled(&b->l->zones, name.text, "", 0, ZONE_NO_MODULE, 0);
	str_free(&name);
	return number;
}

static uint32_t function_zone(struct below *b, uint32_t module, const struct fact_name *f)
{
	struct str name = {0};
	str_add(&name, "%s (sampled)", f->name);
	uint32_t number = zones_sampled(&b->l->zones, name.text, f->file ? f->file : "", f->line,
					module, f->start);
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
	uint32_t native = f.known ? zones_native(z, p->module, f.start) : ZONE_OUTSIDE;
	b->hooked[place] = native != ZONE_OUTSIDE;
	if (native != ZONE_OUTSIDE)
		b->zones[place] = native;
	else if (f.known)
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

/* The zone below NODE to which the samples CALL go; OF_ITSELF: they stay in the node's self. */
static uint32_t zone_below(struct below *b, const struct node *n, const struct tree_call *call)
{
	if (b->zones[call->place] == NOT_LOOKED_UP)
		look_up(b, call->place);
	const struct code_place *place = &b->l->places.list[call->place];
	uint32_t zone = b->zones[call->place];
	const struct zone *of = &b->l->zones.list[n->zone], *code = &b->l->zones.list[zone];
	bool may_be_own = code->module == ZONE_NO_MODULE && place->module == of->module;
	if (b->hooked[call->place] || zone == OF_ITSELF || may_be_own || is_part(of, code))
		return OF_ITSELF;
	return zone;
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

/* Moves a share of NODE's self time, of which WHOLE can be divided, to its child for ZONE. */
static void move_share(struct below *b, uint32_t node, uint32_t zone, const struct cost *whole,
		       double share)
{
	struct tree *t = &b->l->tree;
	struct cost part = {0};
	cost_add_share(&part, whole, share);
	uint32_t child = tree_child(t, node, zone);
	cost_add(&t->nodes[child].self, &part);
	cost_subtract(&t->nodes[node].self, &part);
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
		uint32_t place = t->calls[at].place;
		if (b->zones[place] == NOT_LOOKED_UP)
			look_up(b, place);
		move_share(b, node, b->zones[place], whole, t->calls[at].self_ns * each);
	}
	if (named < ns)
		move_share(b, node, kernel_zone(b, ""), whole, (ns - named) * each);
}

/* Moves the shares of NODE's self time that belong to functions without hooks to its children. */
static void divide(struct below *b, uint32_t node)
{
	struct tree *t = &b->l->tree;
	struct cost whole = divisible(&t->nodes[node].self);
	size_t first = t->count;
	double unplaced, weights = tree_sampled_weight(t, &t->nodes[node], &unplaced);
	double kernel_ns = 0;
	for (uint32_t at = t->nodes[node].first_call; at && weights > 0; at = t->calls[at].next) {
		if (!t->calls[at].sampled || !t->calls[at].place || t->calls[at].self_ns <= 0)
			continue;
		if (t->calls[at].kernel) {
			kernel_ns += t->calls[at].self_ns;
		} else {
			uint32_t zone = zone_below(b, &t->nodes[node], &t->calls[at]);
			if (zone == OF_ITSELF)
				continue;
			move_share(b, node, zone, &whole, t->calls[at].self_ns / weights);
		}
		t->calls[at].self_ns = 0; /* what is left weighs what is left of the self time */
	}
	if (kernel_ns > 0)
		divide_kernel(b, node, &whole, kernel_ns / weights, kernel_ns);
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
}
