/* SPDX-License-Identifier: MIT */
/* model_frames.c - the library's location.h, unwind.h and via.h for the made-up program of model.h. */
#include "tests/hooks/model.h"

#include "preload/process/process.h"
#include "preload/base/sys.h"
#include "preload/track/track.h"
#include "preload/unwind/unwind.h"
#include "preload/unwind/via.h"
#include "preload/code/location.h"

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
	return model_by_rbp(host) ? LOCATION_BY_RBP | 16 : (uint32_t)model_distance(host);
}

static struct location describe(int place, int location)
{
	int host = location == MODEL_SPLIT ? MODEL_BARE : model_host(place);
	uint32_t inlined = model_inlined(place) ? LOCATION_INLINED : 0;

	return (struct location){model_ret(place, location), rule_of(host) | inlined,
				 (uint32_t)model_zone_address(host)};
}

/* If another location has taken this one's slot, the hot path finds nothing and asks
 * location_find(). */
bool locations_init(struct process *p)
{
	int place, i;

	p->locations->slots = sys_memory(LOCATIONS_MAX * sizeof(struct location));
	if (!p->locations->slots)
		return false;
	for (place = 0; place < MODEL_PLACES; place++)
		for (i = 0; i < MODEL_LOCATIONS; i++)
			p->locations->slots[location_slot(model_ret(place, i))] =
			    describe(place, i);
	return true;
}

uintptr_t location_find(struct process *p, const struct event *e, uintptr_t stack_end,
			struct location *where)
{
	uintptr_t n = (e->ret - (uintptr_t)locations) / sizeof(locations[0][0]);

	(void)p;
	(void)stack_end;
	*where = describe((int)(n / MODEL_LOCATIONS), (int)(n % MODEL_LOCATIONS));
	return location_cfa(where->rule, e->sp, e->bp);
}

void location_is_inlined(struct process *p, struct location *where)
{
	where->rule |= LOCATION_INLINED;
	p->locations->slots[location_slot(where->ret)].rule = where->rule;
}

void location_at(struct process *p, uintptr_t return_address, struct location *where)
{
	uintptr_t n = (return_address - (uintptr_t)locations) / sizeof(locations[0][0]),
		  host = (return_address - (uintptr_t)calls) / sizeof(calls[0]);

	(void)p;
	*where = (struct location){return_address, LOCATION_INDIRECT, 0};
	if (host <= MODEL_BARE)
		*where = (struct location){return_address, rule_of((int)host),
					   (uint32_t)model_zone_address((int)host)};
	if (return_address - (uintptr_t)locations < sizeof(locations))
		*where = describe((int)(n / MODEL_LOCATIONS), (int)(n % MODEL_LOCATIONS));
}

bool location_goes_on(struct process *p, const struct location *from, const struct location *to)
{
	(void)p;
	return from->host == to->host;
}

/* The stacks hold no return addresses, but an event has its own. */
bool unwind_is_caller(const struct track *k, const struct event *e, uintptr_t cfa, uintptr_t caller,
		      struct location *where)
{
	location_at(k->process, e->call_site, where);
	return !(where->rule & LOCATION_INDIRECT) &&
	       location_cfa(where->rule, cfa, e->bp) == caller;
}

bool unwind_first(const struct track *k, const struct event *e, uintptr_t cfa, struct place *at)
{
	(void)k;
	(void)e;
	(void)cfa;
	(void)at;
	return false;
}

int unwind_part(const struct track *k, uintptr_t address)
{
	return address - k->stack_low < k->stack_bytes ? (int)k->barriers : -1;
}

bool unwind_on_stack(const struct track *k, uintptr_t address)
{
	return address - k->stack_low < k->stack_bytes;
}

bool unwind_next(const struct track *k, struct place *at, uintptr_t *cfa, bool *outermost)
{
	(void)k;
	(void)at;
	(void)outermost;
	*cfa = 0;
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
