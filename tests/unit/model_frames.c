/* SPDX-License-Identifier: MIT */
/* model_frames.c - the library's frame.h, unwind.h and via.h for the made-up program of model.h. */
#include "tests/unit/model.h"

#include "preload/process.h"
#include "preload/sys.h"
#include "preload/track.h"
#include "preload/unwind.h"
#include "preload/via.h"

/* Addresses lie in this program's memory, so that their module is known. */
static char zones[MODEL_ZONES + 1][16];
static char locations[MODEL_PLACES][MODEL_LOCATIONS][8];
static char calls[MODEL_ZONES + 1][8];

uintptr_t model_zone_address(int zone)
{
	return (uintptr_t)zones[zone];
}

uintptr_t model_ret(int place, int location)
{
	return (uintptr_t)locations[place][location];
}

uintptr_t model_call(int host)
{
	return (uintptr_t)calls[host];
}

static uint32_t rule_of(int host)
{
	return model_by_rbp(host) ? FRAME_BY_RBP | 16 : (uint32_t)model_distance(host);
}

static struct location describe(int place, int location)
{
	int host = location == MODEL_SPLIT ? MODEL_BARE : model_host(place);
	uint32_t inlined = model_inlined(place) ? FRAME_INLINED : 0;

	return (struct location){model_ret(place, location), rule_of(host) | inlined,
				 (uint32_t)model_zone_address(host)};
}

/* A place that is taken stays so: the hot path does without, and asks frame_locate(). */
bool locations_init(struct process *p)
{
	int place, i;

	p->locations.slots = sys_memory(LOCATIONS_MAX * sizeof(struct location));
	if (!p->locations.slots)
		return false;
	for (place = 0; place < MODEL_PLACES; place++)
		for (i = 0; i < MODEL_LOCATIONS; i++)
			p->locations.slots[frame_slot(model_ret(place, i))] = describe(place, i);
	return true;
}

uintptr_t frame_locate(struct process *p, const struct event *e, uintptr_t stack_end,
		       struct location *where)
{
	uintptr_t n = (e->ret - (uintptr_t)locations) / sizeof(locations[0][0]);

	(void)p;
	(void)stack_end;
	*where = describe((int)(n / MODEL_LOCATIONS), (int)(n % MODEL_LOCATIONS));
	return frame_cfa(where->rule, e->sp, e->bp);
}

void frame_is_inlined(struct process *p, struct location *where)
{
	where->rule |= FRAME_INLINED;
	p->locations.slots[frame_slot(where->ret)].rule = where->rule;
}

void frame_at(struct process *p, uintptr_t return_address, struct location *where)
{
	uintptr_t n = (return_address - (uintptr_t)locations) / sizeof(locations[0][0]),
		  host = (return_address - (uintptr_t)calls) / sizeof(calls[0]);

	(void)p;
	*where = (struct location){return_address, FRAME_INDIRECT, 0};
	if (host <= MODEL_BARE)
		*where = (struct location){return_address, rule_of((int)host),
					   (uint32_t)model_zone_address((int)host)};
	if (return_address - (uintptr_t)locations < sizeof(locations))
		*where = describe((int)(n / MODEL_LOCATIONS), (int)(n % MODEL_LOCATIONS));
}

bool frame_goes_on(struct process *p, const struct location *from, const struct location *to)
{
	(void)p;
	return from->host == to->host;
}

/* The stacks hold no return addresses, but an event says its own. */
bool unwind_is_caller(const struct track *k, const struct event *e, uintptr_t cfa, uintptr_t caller,
		      struct location *where)
{
	frame_at(k->process, e->call_site, where);
	return !(where->rule & FRAME_INDIRECT) && frame_cfa(where->rule, cfa, e->bp) == caller;
}

bool unwind_first(const struct track *k, const struct event *e, uintptr_t cfa, struct place *at)
{
	(void)k;
	(void)e;
	(void)cfa;
	(void)at;
	return false;
}

bool unwind_next(const struct track *k, struct place *at, uintptr_t *cfa, bool *outermost)
{
	(void)k;
	(void)at;
	(void)cfa;
	(void)outermost;
	return false;
}

void locations_forget(struct process *p, uintptr_t start, uintptr_t end)
{
	(void)p;
	(void)start;
	(void)end;
}

void via_look(struct track *track, const struct event *e, uintptr_t cfa, struct via *via)
{
	(void)track;
	(void)e;
	(void)cfa;
	via->count = 0;
}

void via_record(struct track *track, const struct via *via, const struct zprof_node *node)
{
	(void)track;
	(void)via;
	(void)node;
}

void via_left(struct process *p, const struct tree *tree)
{
	(void)p;
	(void)tree;
}
