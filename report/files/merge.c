/* SPDX-License-Identifier: MIT */
/* merge.c - see merge.h: adds up; merge_write.c writes. */
#include "report/files/merge.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/load/ended.h"

#define NOTES_MOST 100 /* different notes that are kept */

static char *copy(const char *text)
{
	return memory_text(text, strlen(text));
}

/* ---- parts and runs */

static uint32_t find_part(struct merge *m, const struct process *p)
{
	const char *rank = m->by_rank ? p->rank : "";
	for (size_t i = 0; i < m->part_count; i++)
		if (!strcmp(m->parts[i].rank, rank))
			return (uint32_t)i;
	struct merge_part *new = memory_next(m->parts, m->part_count, m->part_room);
	*new = (struct merge_part){
	    .rank = copy(rank), .host = copy(p->host), .command = copy(p->command)};
	new->fixed.start_realtime_ns = p->header.start_realtime_ns;
	memcpy(new->fixed.run_id, p->header.run_id, sizeof new->fixed.run_id);
	return (uint32_t)m->part_count - 1;
}

static bool same_run(const void *context, uint32_t item, const void *key)
{
	const struct merge *m = context;
	const struct merge_run *k = key;
	return m->runs[item].part == k->part && !memcmp(m->runs[item].id, k->id, sizeof k->id);
}

/* Extends the run of process P to P's times. Without a run id, P is a run of its own. */
static void add_run(struct merge *m, uint32_t part, const struct process *p)
{
	static const uint8_t none[16];
	uint64_t half[2];
	struct merge_run key = {.part = part, .first_ns = p->header.start_realtime_ns};
	key.last_ns = key.first_ns + (uint64_t)p->elapsed_ns;
	memcpy(key.id, p->header.run_id, sizeof key.id);
	memcpy(half, key.id, sizeof half);
	if (p->runs > 1 || !memcmp(key.id, none, sizeof none)) {
		m->parts[part].fixed.runs += p->runs;
		m->parts[part].fixed.elapsed_ns += (uint64_t)p->elapsed_ns;
		return;
	}
	uint64_t hash = lookup_hash(half[0] + part, half[1]);
	uint32_t item = lookup_find(&m->by_run, hash, same_run, m, &key);
	if (item == LOOKUP_NONE) {
		lookup_add(&m->by_run, hash, (uint32_t)m->run_count);
		*memory_next(m->runs, m->run_count, m->run_room) = key;
		return;
	}
	struct merge_run *run = &m->runs[item];
	run->first_ns = key.first_ns < run->first_ns ? key.first_ns : run->first_ns;
	run->last_ns = key.last_ns > run->last_ns ? key.last_ns : run->last_ns;
}

static uint32_t add_to_part(struct merge *m, const struct process *p)
{
	uint32_t number = find_part(m, p);
	struct zprof_part *f = &m->parts[number].fixed;
	bool alone = !f->processes && p->processes == 1;
	f->pid = alone ? p->header.pid : 0;
	f->parent_pid = alone ? p->header.parent_pid : 0;
	f->processes += p->processes;
	f->calls += p->calls;
	f->samples += p->samples;
	f->hook_ns += p->hook_ns;
	if (p->header.start_realtime_ns < f->start_realtime_ns)
		f->start_realtime_ns = p->header.start_realtime_ns;
	if (memcmp(f->run_id, p->header.run_id, sizeof f->run_id))
		memset(f->run_id, 0, sizeof f->run_id);
	add_run(m, number, p);
	return number;
}

static void add_notes(struct merge *m, const struct process *p)
{
	for (size_t i = 0; i < p->note_count && m->note_count < NOTES_MOST; i++) {
		size_t k = 0;
		while (k < m->note_count && strcmp(m->notes[k], p->notes[i]))
			k++;
		if (k < m->note_count)
			continue;
		*memory_next(m->notes, m->note_count, m->note_room) = copy(p->notes[i]);
	}
}

static void add_end(struct merge *m, size_t process)
{
	if (!ended_early(&m->load, process))
		return;
	if (!m->early++)
		ended_add(&m->ended, &m->load, process);
}

static void add_turns(struct merge *m, const struct process *p)
{
	for (size_t i = 0; i < p->turns_count; i++) {
		size_t k = 0;
		while (k < m->turns_count && strcmp(m->turns[k].name, p->turns[i].name))
			k++;
		if (k == m->turns_count) {
			struct zprof_turns *new =
			    memory_next(m->turns, m->turns_count, m->turns_room);
			strncpy(new->name, p->turns[i].name, sizeof new->name - 1);
		}
		m->turns[k].count += p->turns[i].count;
	}
}

/* ---- contexts */

/* Takes from the first profile how the merged file describes its program. */
static void take_first(struct merge *m, const struct profile *p)
{
	m->header = p->header;
	m->first_path = copy(p->path);
	m->exe = copy(p->exe ? p->exe : "");
	m->options = copy(p->options ? p->options : "");
	m->argument_count = p->command_count;
	m->arguments = memory_zeroed(p->command_count, sizeof *m->arguments);
	for (size_t i = 0; i < p->command_count; i++)
		m->arguments[i] = copy(p->command[i]);
}

/* The sampler that sees less: times that it does not see are unknown in the sum. */
static uint32_t lesser_sampler(uint32_t a, uint32_t b)
{
	if (a == ZPROF_SAMPLER_NONE || b == ZPROF_SAMPLER_NONE)
		return a == b ? a : ZPROF_SAMPLER_TIMER;
	return a > b ? a : b;
}

static void add_members(struct merge *m, const struct profile *p)
{
	const struct zprof_header *h = &p->header;
	struct zprof_member one = {
	    .start_realtime_ns = h->start_realtime_ns, .start_ns = h->start_ns, .pid = h->pid};
	memcpy(one.run_id, h->run_id, sizeof one.run_id);
	for (size_t i = 0; i < p->node_count; i++)
		one.calls += p->nodes[i].calls;
	bool merged = h->flags & ZPROF_MERGED;
	size_t count = merged ? p->member_count : 1;
	for (size_t i = 0; i < count; i++)
		*memory_next(m->members, m->member_count, m->member_room) =
		    merged ? p->members[i] : one;
}

bool merge_add(struct merge *m, const char *path, bool anyone, struct str *err)
{
	struct profile p;
	struct load *l = &m->load;
	if (!profile_load(&p, path, anyone, err))
		return false;
	if (!m->files++) {
		take_first(m, &p);
	} else if (!load_same_kind(&m->header, m->first_path, &p.header, path, err)) {
		profile_free(&p);
		return false;
	}
	add_members(m, &p);
	m->header.flags |= p.header.flags & (ZPROF_FILTERED | ZPROF_SAMPLED);
	m->header.sampler = lesser_sampler(m->header.sampler, p.header.sampler);
	if (!p.header.native_samples)
		m->header.native_samples = 0;
	load_profile(l, &p);
	profile_free(&p);
	uint32_t *part_of = memory_zeroed(l->process_count, sizeof *part_of);
	for (size_t i = 0; i < l->process_count; i++) {
		part_of[i] = add_to_part(m, &l->processes[i]);
		add_notes(m, &l->processes[i]);
		add_end(m, i);
		add_turns(m, &l->processes[i]);
	}
	fold_add(&m->fold, &l->tree, part_of);
	free(part_of);
	load_forget_tree(l);
	return true;
}

bool merge_begin(struct merge *m, const char *path, bool by_rank, struct str *err)
{
	*m = (struct merge){.by_rank = by_rank};
	if (!profile_write_begin(&m->to, path, err))
		return false;
	load_init(&m->load, false);
	return true;
}

void merge_free(struct merge *m)
{
	for (size_t i = 0; i < m->part_count; i++) {
		free(m->parts[i].rank);
		free(m->parts[i].host);
		free(m->parts[i].command);
	}
	for (size_t i = 0; i < m->argument_count; i++)
		free(m->arguments[i]);
	for (size_t i = 0; i < m->note_count; i++)
		free(m->notes[i]);
	if (m->to.file.to)
		profile_write_cancel(&m->to);
	free(m->arguments);
	free(m->notes);
	str_free(&m->ended);
	free(m->turns);
	free(m->members);
	free(m->parts);
	free(m->runs);
	free(m->way_node);
	free(m->first_path);
	free(m->exe);
	free(m->options);
	lookup_free(&m->by_run);
	profile_records_free(&m->threads);
	fold_free(&m->fold);
	load_free(&m->load);
}
