/* SPDX-License-Identifier: MIT */
/* model_hook.c - see model_hook.h. */
#include "tests/hooks/model_hook.h"

#include "tests/hooks/model_compare.h"
#include "tests/hooks/model_program.h"

#define HOT_BP(event) ((event)->bp)
#include "preload/track/hot.h"
#include "preload/slow/nested.h"
#include "preload/slow/slow.h"
#include "preload/track/sound.h"
#include "preload/clock/tick.h"

/* Where a handler may come in a hook; NOWHERE is negative. */
enum seam { NOWHERE = -1, AT_BEGIN, AT_END };

/* For the reference, the library's own work takes no time. */
void __wrap_charge_own(struct track *track);
void __wrap_charge_own(struct track *track)
{
	(void)track;
}

static struct ref_line truth_of(const struct line *line, int count)
{
	struct ref_line truth = {.count = count};
	for (int i = 0; i < count; i++)
		truth.zone[i] = (struct ref_zone){
		    line->entry[i].uid, model_zone(line->entry[i].place), line->entry[i].alternate};
	return truth;
}

static void tell_reference(const struct action *a, uint64_t ticks)
{
	struct ref_line truth = truth_of(a->line, a->count);
	if (a->level == 0 && (world.threadless || !ref.lineage)) {
		ref_thread(ticks, model_zone(a->entry.place), world.on);
		world.threadless = false;
	}
	if (world.abandoned[a->level])
		ref_recover(a->level, ticks);
	world.abandoned[a->level] = false;
	ref_arrive(a->level, ticks, world.on, &truth);
}

static void apply(const struct action *a)
{
	if (a->enter) {
		a->line->entry[a->count] = a->entry;
		a->line->count = a->count + 1;
		ref_enter(a->level, (struct ref_zone){a->entry.uid, model_zone(a->entry.place),
						      a->entry.alternate});
	} else {
		a->line->count = a->count - 1;
		ref_leave(a->level);
	}
	a->line->jumped = false;
	a->line->same_place = -1;
	a->line->same_zone = false;
}

/* What hooks.c does, with room for handlers. Result: the level that a handler jumped to, or WORLD_NEVER. */
static int in_usual_hook(const struct action *a, struct event *e, int seam, bool alternate)
{
	struct track *k = &track_self;
	int to = WORLD_NEVER;
	bool usual;
	hot_begin(k, e->sp);
	tell_reference(a, e->ticks);
	if (seam == AT_BEGIN && (to = program_handler(1, e->sp, alternate)) != WORLD_NEVER)
		return to;
	usual = hot_at_home(k, e->sp) && (a->enter ? hot_enter(k, e, TIMING_EXACT, QUICK) ||
							 hot_enter(k, e, TIMING_EXACT, THOROUGH)
						   : hot_exit(k, e, TIMING_EXACT));
	if (!usual && a->enter)
		slow_enter(k, e);
	else if (!usual)
		slow_exit(k, e);
	apply(a);
	if (seam == AT_END && (to = program_handler(1, e->sp, alternate)) != WORLD_NEVER)
		return to;
	hot_end(k, e->sp);
	ref_settle(0);
	compare_sound(track_sound(k));
	return to;
}

static int in_nested_hook(const struct action *a, struct event *e, int seam, bool alternate)
{
	struct nested n;
	int to = WORLD_NEVER;
	if (!nested_begin(&n, e))
		world_fail("a hook that could not begin", 0, 1);
	tell_reference(a, e->ticks);
	compare_must("level", n.track->level, (uint64_t)a->level);
	if (seam == AT_BEGIN &&
	    (to = program_handler(a->level + 1, e->sp, alternate)) != WORLD_NEVER)
		return to;
	if (a->enter)
		slow_enter(n.track, e);
	else
		slow_exit(n.track, e);
	apply(a);
	if (seam == AT_END && (to = program_handler(a->level + 1, e->sp, alternate)) != WORLD_NEVER)
		return to;
	nested_end(&n, e);
	ref_settle(a->level);
	return to;
}

static bool quiet(const struct action *a)
{
	return a->line->jumped || world.abandoned[a->level] || world.threadless || !ref.lineage ||
	       ref.newborn || (a->level == 0 && world.on != ref.stack);
}

static int draw_seam(const struct action *a)
{
	return quiet(a) || world.early || a->level > 2 || world_chance(6)
		   ? NOWHERE
		   : AT_BEGIN + (int)world_chance(2);
}

int hook_happen(const struct action *a, struct event *e)
{
	int seam = draw_seam(a), to;
	bool early = !quiet(a) && !world.early && !a->entry.alternate && world_chance(12) == 0;
	bool there = a->entry.alternate || a->line->alternate;
	bool alternate = seam >= 0 && !there && world_chance(4) == 0;
	world.on_alternate[a->level] = there;
	e->ticks = tick_read();
	if (early)
		program_early_handler(a, e);
	world.limit[a->level] = a->enter ? a->count : a->count - 1;
	to = track_self.busy ? in_nested_hook(a, e, seam, alternate)
			     : in_usual_hook(a, e, seam, alternate);
	if (to == a->level) {
		world.abandoned[a->level] = true;
		return WORLD_NEVER;
	}
	if (to == WORLD_NEVER)
		compare_path(a->level);
	return to;
}
