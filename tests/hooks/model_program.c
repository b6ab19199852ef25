/* SPDX-License-Identifier: MIT */
/* model_program.c - see model_program.h. */
#include "tests/hooks/model_program.h"

#include "tests/hooks/model_compare.h"

#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/recording/pause.h"
#include "preload/recording/recordings.h"
#include "preload/stacks/stack.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- calls, returns, jumps */

static const struct entry *top_of(const struct line *line)
{
	return line->count ? &line->entry[line->count - 1] : NULL;
}

static uintptr_t sp_of(const struct line *line)
{
	return line->count ? top_of(line)->sp : line->start;
}

static struct event event_of(const struct entry *entry, int location)
{
	int host = model_host(entry->place);
	return (struct event){.zone = model_zone_address(model_zone(entry->place)),
			      .call_site = model_zone_address(0) + 4,
			      .sp = entry->sp,
			      .ret = model_ret(entry->place, location),
			      .bp = model_by_rbp(host) ? entry->cfa - 16
						       : 0xdead0000u + world_chance(4096)};
}

static int enter(int level, struct line *line, struct entry entry)
{
	struct action a = {line, level, line->count, true, entry};
	struct event e = event_of(&entry, 0);
	int to;
	world_say(model_inlined(entry.place) ? "enter inlined" : "enter", level,
		  model_zone(entry.place));
	to = hook_happen(&a, &e);
	/* From here on, alloca may have moved the stack pointer. */
	if (line->count > a.count && model_by_rbp(model_host(entry.place)) &&
	    !model_inlined(entry.place))
		line->entry[a.count].sp -= 16 * world_chance(8);
	return to;
}

/* `below`: bytes between the caller's stack pointer and the new frame. */
static int call(int level, struct line *line, uintptr_t below)
{
	int place = (int)world_chance(line->jumped ? MODEL_ZONES : MODEL_ZONES + 1);
	struct entry entry = {++world.uids, place, sp_of(line) - below, 0,
			      line->count && top_of(line)->alternate};
	if (place == MODEL_BARE)
		entry.place =
		    MODEL_ZONES + MODEL_BARE * MODEL_SITES + (int)world_chance(MODEL_SITES);
	entry.sp = entry.cfa - model_distance(model_host(entry.place));
	return enter(level, line, entry);
}

static int call_inlined(int level, struct line *line)
{
	const struct entry *top = top_of(line);
	struct entry entry = *top;
	int host = model_host(top->place);
	entry.uid = ++world.uids;
	entry.place = line->same_place >= 0
			  ? line->same_place
			  : MODEL_ZONES + host * MODEL_SITES + (int)world_chance(MODEL_SITES);
	for (int i = line->count - 1; i >= 0 && line->entry[i].cfa == top->cfa; i--)
		if (line->entry[i].place == entry.place)
			return WORLD_NEVER;
	return enter(level, line, entry);
}

static int handler_on_signal_stack(int level, struct line *line)
{
	struct entry entry = {++world.uids, (int)world_chance(MODEL_ZONES),
			      world.alternate_top - 512, 0, true};
	entry.sp = entry.cfa - model_distance(entry.place);
	world_say("on the signal stack", level, 0);
	return enter(level, line, entry);
}

static int leave(int level, struct line *line)
{
	struct action a = {line, level, line->count, false, *top_of(line)};
	bool tail = !model_inlined(a.entry.place) && world_chance(4) == 0;
	struct event e = event_of(&a.entry, 1 + (int)world_chance(2));
	bool split = model_inlined(a.entry.place) && !line->jumped && world_chance(3) == 0;
	if (split) {
		int host = model_host(a.entry.place);
		e.ret = model_ret(a.entry.place, MODEL_SPLIT);
		e.call_site = model_call(host);
		a.entry.cfa = e.sp;
		e.sp -= model_distance(MODEL_BARE);
		tail = world_chance(3) == 0;
	}
	world_say(split  ? "leave in a part"
		  : tail ? "leave by a tail call"
			 : "leave",
		  level, model_zone(a.entry.place));
	if (tail) {
		e.sp = a.entry.cfa;
		e.ret = e.call_site;
	}
	return hook_happen(&a, &e);
}

void program_early_handler(const struct action *a, const struct event *e)
{
	struct entry entry = {++world.uids, (int)world_chance(MODEL_ZONES), e->sp - 256, 0, false};
	entry.sp = entry.cfa - model_distance(entry.place);
	world_say("handler before a hook", a->level, 0);
	world.early = true;
	enter(a->level, a->line, entry);
	leave(a->level, a->line);
	world.early = false;
}

/*
 * Jumps to the zone that is on top when `count` are open. If that leaves a zone inlined into a
 * frame that goes on, only a new entry at the same place, or the host's end, can show it.
 */
static void land(struct line *line, int count)
{
	line->same_place = -1;
	line->same_zone = false;
	if (count < line->count && count > 0 &&
	    line->entry[count].cfa == line->entry[count - 1].cfa)
		line->same_place = line->entry[count].place;
	for (int i = count; line->same_place >= 0 && i < line->count; i++)
		line->same_zone |=
		    line->entry[i].cfa == line->entry[count - 1].cfa &&
		    model_zone(line->entry[i].place) == model_zone(line->entry[count - 1].place);
	line->jumped |= count < line->count;
	line->count = count;
}

int program_step(int level, struct line *line)
{
	unsigned draw = world_chance(100);
	bool settled = !line->jumped,
	     normal = !line->alternate && !(line->count && top_of(line)->alternate);
	if (line->same_place >= 0)
		return draw < 50 || line->same_zone ? call_inlined(level, line)
						    : leave(level, line);
	if (line->count == 0)
		return call(level, line, 0);
	if (draw < 35 && line->count < 14)
		return call(level, line, settled ? 16 * world_chance(40) : 0);
	if (draw < 50 && line->count < 14)
		return call_inlined(level, line);
	if (draw >= 90 && draw < 94 && settled)
		return call(level, line, 128 + 16 * world_chance(100));
	if (draw >= 94 && draw < 97 && settled && normal && (level || world.on == ref.stack))
		return handler_on_signal_stack(level, line);
	if (draw >= 97 && line->count > (level ? 1 : 0)) {
		land(line, level ? 1 + (int)world_chance((unsigned)line->count)
				 : (int)world_chance((unsigned)line->count + 1));
		world_say("jump to", level, line->count);
		return WORLD_NEVER;
	}
	return leave(level, line);
}

/* Jumps out of a handler that interrupted a hook, into a zone of that level or of one below it. */
static int jump_out(int level)
{
	int to = (int)world_chance((unsigned)level), first;
	if (world.limit[to] == 0)
		to = 0;
	first = to > 0;
	land(world.line[to], first + (int)world_chance((unsigned)(world.limit[to] + 1 - first)));
	world.line[to]->jumped = true;
	world_say("jump out of the handler, to", to, world.line[to]->count);
	return to;
}

int program_handler(int level, uintptr_t sp, bool alternate)
{
	struct line line = {.start = alternate ? world.alternate_top - 512
					       : sp - 256 - 16 * world_chance(20),
			    .alternate = alternate || world.on_alternate[level - 1],
			    .same_place = -1};
	int events_left = 1 + (int)world_chance(8), to = WORLD_NEVER;
	world_say(alternate ? "handler in a hook, on the signal stack" : "handler in a hook", level,
		  0);
	world.levels++;
	world.line[level] = &line;
	while (to == WORLD_NEVER && (events_left > 0 || line.count > 0))
		to = events_left-- > 0 || line.same_zone ? program_step(level, &line)
							 : leave(level, &line);
	if (to == WORLD_NEVER && world.limit[level - 1] > 0 && world_chance(8) == 0)
		to = jump_out(level);
	world.levels--;
	return to;
}

/* ---- rare events, at level 0 */

void program_change_stack(void)
{
	static const int coroutines[] = {2, 3};
	struct line *line = world.line[0];
	if (line->count && top_of(line)->alternate)
		return;
	world.on = world_chance(2) ? world.own : coroutines[world_chance(2)];
	world.line[0] = &world.stack[world.on];
	world_say("stack", world.on, 0);
}

/* makecontext on a stack that no thread runs on. */
void program_use_anew(void)
{
	if (world.on == 2 || !ref.lineage || ref.newborn)
		return;
	world_say("stack used anew", 2, 0);
	world_empty(&world.stack[2]);
	ref_forget(2);
	stack_learn(process_now, world.stack[2].start + 64 - WORLD_STACK_BYTES, WORLD_STACK_BYTES);
}

void program_end_thread(void)
{
	const struct ref_line *seen = &ref.level[0].line;
	if (world.abandoned[0] || (seen->count && seen->zone[seen->count - 1].alternate))
		return;
	world_say("thread ends", world.on, 0);
	memset(&track_self, 0, sizeof track_self);
	track_self.busy = TRACK_UNREADY;
	world.own = world.on = (int)world_chance(2);
	world.line[0] = &world.stack[world.on];
	world_empty(&world.stack[0]);
	world_empty(&world.stack[1]);
	world.threadless = true;
}

static char *paths[16];
static int paths_used;

void program_forget_file(void)
{
	paths[paths_used++] = strdup(process_now->file->path);
}

/* What a child sees: the page that fork wipes. */
void program_fork(void)
{
	if (!ref.lineage || world.threadless || ref.newborn || paths_used == 15)
		return;
	world_say("fork", 0, 0);
	if (!world.abandoned[0]) {
		compare_contexts();
		compare_counters();
	}
	program_forget_file();
	*process_now->here = *process_now->alive = 0;
	world.abandoned[0] = false;
	ref_fork();
}

void program_next_recording(void)
{
	struct process *p = process_now;
	if (!ref.lineage || world.threadless || ref.newborn)
		return;
	world_say("the next recording", 0, 0);
	recordings_end(p, 1);
	pause_begin(p, 1);
	recordings_begin(p, 1);
	pause_end(p, 1);
	/* No thread takes over the lineage of one that has ended before that. */
	for (int i = 0; i < REF_ZONES; i++)
		ref.lineages[i].open = 0;
}

void program_remove_files(void)
{
	while (paths_used)
		unlink(paths[--paths_used]);
}
