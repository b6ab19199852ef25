/* SPDX-License-Identifier: MIT */
/* chains.c - see chains.h. */
#include "preload/sample/chains.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/code/module.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/sample/notes.h"
#include "preload/tree/tree.h"

#define SLOTS_BYTES (CHAINS_MOST * sizeof(uint32_t))
#define SLOT_UNIT   8u /* all records of a file lie at multiples of so many bytes */

/* Steps of a long chain that are always kept, from the innermost on: half of them. */
#define INNER_STEPS (ZPROF_CHAIN_STEPS / 2)

bool chains_step(struct zprof_chain *chain, uint32_t module, uint64_t address)
{
	uint32_t last = chain->count - 1, i;
	bool fits = chain->count < ZPROF_CHAIN_STEPS;

	if (chain->count && chain->module[last] == module && chain->address[last] == address)
		return true;
	if (!fits) {
		for (i = INNER_STEPS; i < last; i++) {
			chain->module[i] = chain->module[i + 1];
			chain->address[i] = chain->address[i + 1];
		}
		chain->count--;
	}
	chain->module[chain->count] = module;
	chain->address[chain->count++] = address;
	return fits;
}

/* ---- the table */

static struct zprof_chain *record_at(const struct process *p, uint32_t slot)
{
	return (struct zprof_chain *)(p->file->base + (uint64_t)slot * SLOT_UNIT);
}

static uint32_t *group_of(const struct chains *c, const struct zprof_chain *key)
{
	uint64_t h = key->node;
	uint32_t i;

	for (i = 0; i < key->count; i++)
		h = (h ^ key->address[i]) * 0x9e3779b97f4a7c15u;
	return c->slots + (h >> 32) % CHAINS_GROUPS * CHAINS_WAYS;
}

static bool is_same(const struct zprof_chain *a, const struct zprof_chain *b)
{
	return a->node == b->node && a->count == b->count &&
	       !memcmp(a->module, b->module, a->count * sizeof(*a->module)) &&
	       !memcmp(a->address, b->address, a->count * sizeof(*a->address));
}

/*
 * A record for a new chain of a group: a new one, or that which has been seen least. NULL: there is
 * no room. (As in inside.c, a record gives way by its node's reference first, and is complete again
 * when the new reference is stored.)
 */
static struct zprof_chain *take_record(struct chains *c, struct process *p, uint32_t thread,
				       uint32_t *group)
{
	struct zprof_chain *least = NULL, *record;
	uint32_t i;

	for (i = 0; i < CHAINS_WAYS && group[i]; i++) {
		record = record_at(p, group[i]);
		least = !least || record->samples < least->samples ? record : least;
	}
	if (i < CHAINS_WAYS) {
		record = file_record(p, &c->section, ZPROF_SECTION_CHAINS, thread, sizeof(*record));
		if (record)
			group[i] = (uint32_t)(((char *)record - p->file->base) / SLOT_UNIT);
		return record;
	}
	losses_count(p, ZPROF_LOSS_CHAINS, least->samples);
	least->node = 0;
	cpu_publish();
	return least;
}

static struct zprof_chain *find_record(struct chains *c, struct process *p, uint32_t thread,
				       const struct zprof_chain *key)
{
	uint32_t *group = group_of(c, key), i;
	struct zprof_chain *record;

	for (i = 0; i < CHAINS_WAYS && group[i]; i++)
		if (is_same(record_at(p, group[i]), key))
			return record_at(p, group[i]);
	record = take_record(c, p, thread, group);
	if (!record)
		return NULL;
	record->count = key->count;
	memcpy(record->module, key->module, sizeof(key->module));
	memcpy(record->address, key->address, sizeof(key->address));
	record->samples = 0;
	record->ns = 0;
	cpu_publish();
	record->node = key->node;
	return record;
}

static void add(struct chains *c, struct process *p, uint32_t thread, const struct zprof_chain *key,
		uint64_t ns)
{
	struct zprof_chain *record;

	if (!c->slots)
		c->slots = sys_memory(SLOTS_BYTES);
	record = c->slots ? find_record(c, p, thread, key) : NULL;
	if (!record) {
		losses_count(p, ZPROF_LOSS_CHAINS, 1);
		return;
	}
	record->samples++;
	record->ns += ns;
}

void chains_found(struct chains *c, struct process *p, uint32_t thread,
		  const struct zprof_node *node, const struct ring_note *note, uint64_t ns,
		  bool sure)
{
	struct zprof_chain key = {.node = node_reference(p->file->base, node)};
	enum chain_walk walk = CHAIN_CUT;
	const struct module *m;
	uint32_t within;

	if (!c->walk || !node->parent)
		return;
	if (note->in_kernel) {
		m = module_kernel(p, note->kernel_ip);
		chains_step(&key, (m ? m->id : 0) | ZPROF_INSIDE_KERNEL << 24,
			    m ? note->kernel_ip : 0);
	}
	within = key.count;
	if (sure)
		walk = c->walk(node, note, &key);
	losses_count(p, ZPROF_LOSS_CHAINS_CUT, walk == CHAIN_CUT);
	losses_count(p, ZPROF_LOSS_CHAINS_DEEP, walk == CHAIN_DEEP);
	if (walk != CHAIN_CUT && key.count > within)
		add(c, p, thread, &key, ns);
}
