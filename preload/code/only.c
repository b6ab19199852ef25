/* SPDX-License-Identifier: MIT */
/* only.c - see only.h. */
#include "preload/code/only.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/code/module.h"

uint64_t *only_out;

bool only_init(struct process *p, const struct process *from)
{
	if (!p->options->only)
		return true;
	if (from) {
		*p->only = *from->only;
		p->only->resolved = p->modules->count;
		p->header->flags |= ZPROF_FILTERED;
		return true;
	}
	p->only->cache = sys_memory(ONLY_CACHE * sizeof(*p->only->cache));
	if (!p->only->cache ||
	    !resolve_functions(p, p->options->only, 0, p->modules->count, &p->only->functions)) {
		text_complain("cannot resolve only=", p->options->only, 0,
			      "is the command zprof beside libzprof.so, and are the patterns "
			      "right? running unprofiled");
		return false;
	}
	p->only->resolved = p->modules->count;
	p->only->active = true;
	only_out = p->only->cache;
	p->header->flags |= ZPROF_FILTERED;
	return true;
}

/* Of the modules, as many as are described from the first on. */
static uint32_t described(const struct process *p)
{
	uint32_t n = p->only->resolved,
		 count = __atomic_load_n(&p->modules->count, __ATOMIC_ACQUIRE);

	while (n < count && __atomic_load_n(&p->modules->table[n].ready, __ATOMIC_ACQUIRE))
		n++;
	return n;
}

static void resolve(struct process *p, uint32_t first, uint32_t end)
{
	if (first >= end || resolve_functions(p, p->options->only, first, end, &p->only->functions))
		return;
	for (; first < end; first++) {
		struct module *m = &p->modules->table[first];

		m->unfiltered = true;
		identity_note(
		    p, "not filtered by only=, its functions could not be resolved: module number ",
		    m->id);
	}
}

void only_update(struct process *p)
{
	uint32_t end;

	if (!p->only->active || __atomic_exchange_n(&p->only->asking, 1, __ATOMIC_ACQUIRE))
		return;
	end = described(p);
	resolve(p, p->only->resolved, end);
	__atomic_store_n(&p->only->resolved, end, __ATOMIC_RELEASE);
	__atomic_store_n(&p->only->asking, 0, __ATOMIC_RELEASE);
}

bool only_wants(struct process *p, uint64_t zone)
{
	uint64_t *known = only_place(p->only->cache, zone);
	const struct module *m;

	if (*known == zone)
		return false;
	if (ZPROF_ZONE_KIND(zone) != ZPROF_ZONE_NATIVE || ranges_hold(&p->only->functions, zone))
		return true;
	m = module_discover(p, zone);
	if (m && m->id > p->only->resolved)
		only_update(p);
	if (!m || m->unfiltered || m->id > __atomic_load_n(&p->only->resolved, __ATOMIC_ACQUIRE) ||
	    ranges_hold(&p->only->functions, zone))
		return true;
	*known = zone;
	return false;
}

bool only_leaves_out(const struct process *p, const struct module *m, uintptr_t function)
{
	return p->only->active && !m->unfiltered &&
	       m->id <= __atomic_load_n(&p->only->resolved, __ATOMIC_ACQUIRE) &&
	       !ranges_hold(&p->only->functions, function);
}

void only_forget(struct process *p)
{
	uint32_t i;

	for (i = 0; p->only->active && i < ONLY_CACHE; i++)
		p->only->cache[i] = 0;
}
