/* SPDX-License-Identifier: MIT */
/* inside.c - see inside.h. */
#include "preload/sample/inside.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/code/module.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/sample/notes.h"

#define SLOTS_BYTES (INSIDE_MOST * sizeof(uint32_t))
/* A search for a module reads the process's maps. So many are in vain, and then no more are made. */
#define SEARCHES_MOST 16u

/* A table, what its records are in the profile, and the thread that a sample is of. */
struct into {
	struct process *p;
	uint32_t thread;
	struct inside_table *table;
	enum zprof_section_type section;
	enum zprof_counter loss;
};

static struct zprof_inside *record_at(const struct process *p, uint32_t slot)
{
	return (struct zprof_inside *)p->file->base + slot;
}

static uint32_t *group_of(const struct inside_table *table, const struct zprof_inside *key)
{
	uint64_t h = (key->address ^ (uint64_t)key->node << 40 ^ key->node) * 0x9e3779b97f4a7c15u;

	return table->slots + (h >> 32) % INSIDE_GROUPS * INSIDE_WAYS;
}

/* A slot for a new pair of a group: a free one, or the one whose record has been seen least. */
static uint32_t *slot_for_new(const struct process *p, uint32_t *group)
{
	uint32_t *least = group, i;

	for (i = 0; i < INSIDE_WAYS && group[i]; i++)
		if (record_at(p, group[i])->samples < record_at(p, *least)->samples)
			least = &group[i];
	return i < INSIDE_WAYS ? &group[i] : least;
}

/* NULL: there is no room; the loss is counted. */
static struct zprof_inside *make_record(const struct into *to, uint32_t *group,
					const struct zprof_inside *key)
{
	struct process *p = to->p;
	uint32_t *slot = slot_for_new(p, group);
	struct zprof_inside *record;

	if (*slot) {
		record = record_at(p, *slot);
		losses_count(p, to->loss, record->samples);
		record->node = 0;
		cpu_publish();
	} else {
		record =
		    file_record(p, &to->table->section, to->section, to->thread, sizeof(*record));
		if (!record) {
			losses_count(p, to->loss, 1);
			return NULL;
		}
		*slot = (uint32_t)(((char *)record - p->file->base) / sizeof(*record));
	}
	record->module = key->module;
	record->address = key->address;
	record->samples = 0;
	record->ns = 0;
	cpu_publish();
	record->node = key->node;
	return record;
}

static struct zprof_inside *find_record(const struct into *to, const struct zprof_inside *key)
{
	uint32_t *group = group_of(to->table, key), i;
	struct zprof_inside *record;

	for (i = 0; i < INSIDE_WAYS && group[i]; i++) {
		record = record_at(to->p, group[i]);
		if (record->node == key->node && record->address == key->address &&
		    record->module == key->module)
			return record;
	}
	return make_record(to, group, key);
}

static void add(const struct into *to, const struct zprof_inside *key, uint64_t ns)
{
	struct inside_table *table = to->table;
	struct zprof_inside *record;

	if (!table->slots)
		table->slots = sys_memory(SLOTS_BYTES);
	if (!table->slots) {
		losses_count(to->p, to->loss, 1);
		return;
	}
	record = find_record(to, key);
	if (!record)
		return;
	record->samples++;
	record->ns += ns;
}

/*
 * The module that holds an address, and ZPROF_INSIDE_KERNEL. Code of no module, such as an
 * interpreter's own, is one place of its node: there may be any number of such addresses.
 */
static struct zprof_inside key_of(struct inside *in, struct process *p, uint32_t node,
				  const struct ring_note *note)
{
	const struct module *m = module_find(p, note->ip);
	uint32_t flags = note->in_kernel ? ZPROF_INSIDE_KERNEL : 0;

	if (!m && in->searches < SEARCHES_MOST) {
		m = module_discover(p, note->ip);
		in->searches += !m;
	}
	return (struct zprof_inside){
	    .node = node, .module = (m ? m->id : 0) | flags << 24, .address = m ? note->ip : 0};
}

void inside_found(struct inside *in, struct process *p, uint32_t thread, uint32_t node,
		  const struct ring_note *note, uint64_t ns)
{
	const struct into program = {p, thread, &in->program, ZPROF_SECTION_INSIDE,
				     ZPROF_LOSS_INSIDE};
	const struct into kernel = {p, thread, &in->kernel, ZPROF_SECTION_KERNEL,
				    ZPROF_LOSS_KERNEL};
	const struct module *m;
	struct zprof_inside key;

	if (!in->wanted)
		return;
	key = key_of(in, p, node, note);
	add(&program, &key, ns);
	m = note->in_kernel ? module_kernel(p, note->kernel_ip) : NULL;
	if (!m)
		return;
	key.module = m->id;
	key.address = note->kernel_ip;
	add(&kernel, &key, ns);
}
