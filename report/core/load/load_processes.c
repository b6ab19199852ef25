/* SPDX-License-Identifier: MIT */
/*
 * load_processes.c - see load.h: the facts of each process, also of each part of a merged profile.
 */
#include "report/core/load/load_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/read/recordings.h"

static char *text(const char *t)
{
	return memory_text(t ? t : "", t ? strlen(t) : 0);
}

static char **texts(char *const *from, size_t count)
{
	char **copy = memory_resize(NULL, count, sizeof *copy);
	for (size_t i = 0; i < count; i++)
		copy[i] = text(from[i]);
	return copy;
}

static void free_texts(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

/* Adds a name's turns. If two threads begin a name at the same moment, the name has two records. */
static void add_turns(struct process *to, const struct zprof_turns *t)
{
	size_t i = 0;
	while (i < to->turns_count && strcmp(to->turns[i].name, t->name))
		i++;
	if (i == to->turns_count)
		memory_next(to->turns, to->turns_count, to->turns_room)->name = text(t->name);
	to->turns[i].count += t->count;
}

/* Notes the build-id of the module whose path is the executable's. Merged profiles may have several
 * modules of one path. */
static void note_build_id(struct process *to, const struct profile *p)
{
	for (size_t i = 0; i < p->module_count; i++) {
		const struct profile_module *m = &p->modules[i];
		if (!p->exe || strcmp(m->path, p->exe))
			continue;
		for (uint32_t k = 0; k < m->fixed.build_id_bytes && k < sizeof m->fixed.build_id;
		     k++)
			snprintf(to->build_id + 2 * k, 3, "%02x", m->fixed.build_id[k]);
		return;
	}
}

static void add_recordings(struct process *to, const struct profile *p)
{
	uint64_t *calls = recordings_calls(p);
	to->recording_count = recordings_of(p);
	to->recording = p->recording;
	to->recordings = memory_zeroed(to->recording_count, sizeof *to->recordings);
	for (uint32_t i = 0; i < to->recording_count; i++) {
		struct process_recording *r = &to->recordings[i];
		struct zprof_recording whole = {.began_ns = p->header.start_ns,
						.began_realtime_ns = p->header.start_realtime_ns};
		const struct zprof_recording *from =
		    p->recording_count ? &p->recordings[i] : &whole;
		r->began_realtime_ns = from->began_realtime_ns;
		r->lasted_ns = recordings_lasted_ns(p, from);
		r->calls = calls[i];
		r->goes_on = from->began_ns && !from->ended_ns;
	}
	if (to->recording && p->recording_count)
		to->elapsed_ns = to->recordings[to->recording - 1].lasted_ns;
	free(calls);
}

/* The number of threads. A thread with a record of an earlier recording is counted only there. */
static size_t threads_of(const struct profile *p)
{
	size_t count = p->thread_count;
	for (size_t i = 0; i < p->thread_count; i++)
		count -= p->threads[i].continued != 0;
	return count;
}

static struct process *add_process(struct load *l, const struct profile *p)
{
	struct process *out = memory_next(l->processes, l->process_count, l->process_room);
	*out = (struct process){.path = text(p->path),
				.command = profile_command(p, true),
				.arguments = texts(p->command, p->command_count),
				.argument_count = p->command_count,
				.exe = text(p->exe),
				.host = text(p->host),
				.rank = text(p->rank),
				.options = text(p->options),
				.frame = p->frame ? text(p->frame) : NULL,
				.notes = texts(p->notes, p->note_count),
				.note_count = p->note_count,
				.header = p->header,
				.processes = 1,
				.runs = 1,
				.elapsed_ns = profile_elapsed_ns(p),
				.ns_per_tick = profile_ns_per_tick(&p->header),
				.file_bytes = p->file_bytes,
				.node_count = p->node_count,
				.thread_count = threads_of(p),
				.state = process_state_of(p),
				.module_count = p->module_count,
				.zone_count = p->zone_count,
				.name_count = p->name_count,
				.source_count = p->source_count};
	note_build_id(out, p);
	add_recordings(out, p);
	return out;
}

static void set_text(char **slot, const char *new)
{
	free(*slot);
	*slot = text(new);
}

/* Describes a part of a merged profile, which counts as a process. */
static void describe_part(struct process *to, const struct profile_part *part)
{
	const struct zprof_part *f = &part->fixed;
	set_text(&to->rank, part->rank);
	set_text(&to->host, part->host);
	set_text(&to->command, part->command);
	to->header.pid = f->pid;
	to->header.parent_pid = f->parent_pid;
	memcpy(to->header.run_id, f->run_id, sizeof f->run_id);
	to->header.start_realtime_ns = f->start_realtime_ns;
	to->processes = f->processes;
	to->runs = f->runs ? f->runs : 1;
	to->elapsed_ns = (double)f->elapsed_ns;
	to->calls = f->calls;
	to->samples = f->samples;
	to->hook_ns = f->hook_ns;
}

size_t load_add_processes(struct load *l, const struct profile *p)
{
	size_t first = l->process_count;
	struct process *process = add_process(l, p);
	choices_note(p, &process->notes, &process->note_count);
	choices_add(&l->choices, p);
	for (size_t i = 0; i < p->turns_count; i++)
		if (p->turns[i].count)
			add_turns(process, &p->turns[i]);
	for (size_t i = 0; i < p->part_count; i++) {
		describe_part(&l->processes[l->process_count - 1], &p->parts[i]);
		if (i + 1 == p->part_count)
			break;
		process = add_process(l, p);
		free_texts(process->notes, process->note_count); /* the first process has them */
		process->notes = NULL;
		process->note_count = 0;
	}
	for (int i = 0; i < ZPROF_COUNTERS_MAX; i++)
		if (i != ZPROF_REPAIR_JUMP || !(p->header.flags & ZPROF_ENTRIES)) {
			l->processes[first].losses[i] = p->header.counters[i];
			l->counters[i] += p->header.counters[i];
		}
	if (p->damage.used)
		load_warn(l, "%s", str_text(&p->damage));
	return first;
}

void load_free_process(struct process *p)
{
	free(p->path);
	free(p->command);
	free(p->exe);
	free(p->host);
	free(p->rank);
	free(p->options);
	free(p->frame);
	free_texts(p->arguments, p->argument_count);
	free_texts(p->notes, p->note_count);
	for (size_t k = 0; k < p->turns_count; k++)
		free(p->turns[k].name);
	free(p->turns);
	free(p->recordings);
}

size_t load_more_recordings(const struct load *l, uint32_t *most)
{
	size_t more = 0;
	*most = 1;
	for (size_t i = 0; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		if (p->recording || !p->recording_count)
			continue;
		more += p->recording_count - 1;
		*most = p->recording_count > *most ? p->recording_count : *most;
	}
	return more;
}
