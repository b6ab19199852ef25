/* SPDX-License-Identifier: MIT */
/*
 * model.c - the library's state machine compared with a simple reference, through random sequences of events: calls, inlined
 * calls, returns (also tail-called ones, and from parts that were split off), jumps over frames, handlers (ordinary, on a signal
 * stack, in the middle of a hook, or in one that has only read the clock), switches of stack, ends of threads, forks.
 *
 *   model [SEQUENCES [SEED]]      SEQUENCES in batches of 100; the first batch's seed
 *   model -v SEED                 one batch, every event printed
 *
 * The library's real objects are linked, except those that look at the program's code
 * (model_frames.c). Stack pointers are made up, in memory that is reserved and never touched. After
 * every event the library's zone stack is compared with the reference's; after every sequence calls
 * and ticks of every context, and the repairs. A batch runs in a process of its own, so trees,
 * predictions and ended threads live on from one of its sequences to the next.
 *
 * Left out is what the library has no way to see: after a jump, or a change of stack, without an
 * event since, a call by way of code that is not instrumented, a signal handler, or an exit in a
 * part; which of two activations of a function inlined into one frame was left by a jump; a handler
 * that interrupted a hook and jumps about within itself, leaving no zone of its own open.
 */
#include "tests/unit/model.h"
#include "tests/unit/model_reference.h"

#define HOT_BP(event) ((event)->bp)
#include "preload/track/hot.h"
#include "preload/track/lineage.h"
#include "preload/track/nested.h"
#include "preload/track/slow.h"
#include "preload/track/stack.h"
#include "preload/clock/tick.h"
#include "preload/profile/file.h"
#include "preload/track/sound.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	BATCH = 100,
	DEPTH = 40,
	STACK_BYTES = 1 << 20,
	NEVER = 99, /* a level that is not jumped to */
};

/* Where a handler may come in a hook; NOWHERE is negative. */
enum seam { NOWHERE = -1, AT_BEGIN, AT_END };

struct entry {
	unsigned uid;
	int place;
	uintptr_t cfa, sp;
	bool alternate; /* on the signal stack */
};

/* The zones really open on a stack, or in a handler that interrupted a hook. */
struct line {
	int count;
	struct entry entry[DEPTH];
	uintptr_t start; /* the stack pointer before the first */
	bool alternate;
	bool jumped; /* since the last event */
	int same_place; /* the place to be entered next, since it was left while its host was not; -1 */
	bool same_zone; /* and what is on top, in the same frame, is of the zone that was left */
};

static struct {
	struct line stack[REF_STACKS]; /* 0, 1: threads' own; 2, 3: coroutines' */
	int own, on;                   /* the thread's own; the one it is on */
	struct line *line[REF_LEVELS]; /* of each level at hand */
	bool on_alternate[REF_LEVELS]; /* the hook at hand runs there */
	int limit[REF_LEVELS];         /* zones a handler in that level's hook can jump to */
	uintptr_t alternate_top;
	unsigned uids;
	int levels;                 /* hooks being interrupted at this moment */
	bool abandoned[REF_LEVELS]; /* the hook of that level was left by a jump, and no event has
				       come since */
	bool threadless;            /* the last thread has ended */
	bool early;                 /* a handler runs that came before its hook had begun */
} world;

/* Linked in place of the library's: a made-up thread's control block lies on its made-up stack. */
uintptr_t __wrap_sys_thread_pointer(void);
uintptr_t __wrap_sys_thread_pointer(void)
{
	return world.stack[world.own].start;
}

static uint64_t state, batch_seed;
static bool verbose;
static long sequence, events;

/* ---- chance */

static unsigned chance(unsigned n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (unsigned)((state * 0x2545f4914f6cdd1du) >> 33) % n;
}

static void say(const char *what, int a, int b)
{
	if (verbose)
		printf("# %*s%s %d %d\n", 2 * world.levels, "", what, a, b);
}

static _Noreturn void fail(const char *what, int64_t got, int64_t wanted)
{
	printf("# %s: the library says %lld, the reference %lld\n", what, (long long)got,
	       (long long)wanted);
	printf("# sequence %ld, event %ld; all of it: model -v %llu\n", sequence, events,
	       (unsigned long long)batch_seed);
	fflush(stdout);
	unlink(process_now ? process_now->file->path : "");
	_exit(1);
}

static void must(const char *what, uint64_t got, uint64_t wanted)
{
	if (got != wanted)
		fail(what, (int64_t)got, (int64_t)wanted);
}

/* ---- comparing */

static struct track *track_of(int level)
{
	return level ? track_self.lineage->levels[level] : &track_self;
}

static int zone_of(const struct zprof_node *node)
{
	for (int i = 0; i < MODEL_ZONES; i++)
		if (node->zone == model_zone_address(i))
			return i;
	return MODEL_ZONES; /* [zprof] */
}

static int context_of(struct ref_lineage *l, char *base, const struct zprof_node *node)
{
	if (!node->parent)
		return 0;
	return ref_child(l, context_of(l, base, node_at(base, node->parent)), zone_of(node));
}

static struct ref_lineage *reference_of(uint32_t thread)
{
	struct lineage *l = process_now->lineages;
	while (l && l->record->id != thread)
		l = l->next;
	for (int i = 0; l && i < MODEL_ZONES; i++)
		if (ref.lineages[i].used &&
		    l->first_zone == model_zone_address(ref.lineages[i].first_zone))
			return &ref.lineages[i];
	return NULL;
}

static void add_nodes(const struct zprof_section *s)
{
	struct ref_lineage *l = reference_of(s->thread);
	const struct zprof_node *node = (const struct zprof_node *)(s + 1);
	const struct zprof_node *end = (const struct zprof_node *)((const char *)s + s->used);
	if (!l)
		fail("a thread that never existed", s->thread, 0);
	for (; node < end; node++) {
		struct ref_context *c = &l->context[context_of(l, process_now->file->base, node)];
		c->lib_calls += node->calls;
		c->lib_self += node->self_ticks;
	}
}

static void compare_contexts(void)
{
	const char *base = process_now->file->base;
	uint64_t calls_off = 0, ticks_off = 0;
	for (uint64_t at = ZPROF_GRANULE; at < process_now->file->end;) {
		const struct zprof_section *s = (const struct zprof_section *)(base + at);
		if (s->type == ZPROF_SECTION_NODES)
			add_nodes(s);
		at += s->bytes ? s->bytes : ZPROF_GRANULE;
	}
	for (int i = 0; i < MODEL_ZONES; i++) {
		struct ref_lineage *l = &ref.lineages[i];
		for (int j = 0; l->used && j < l->count; j++) {
			struct ref_context *c = &l->context[j];
			if (verbose && (c->lib_calls != c->calls || c->lib_self != c->self))
				printf("# thread of %d, context %d: zone %d below %d, %lld calls "
				       "for %lld, %lld ticks for %lld\n",
				       i, j, c->zone, c->parent, (long long)c->lib_calls,
				       (long long)c->calls, (long long)c->lib_self,
				       (long long)c->self);
			calls_off += c->lib_calls != c->calls;
			ticks_off += c->lib_self != c->self;
			c->lib_calls = c->lib_self = 0;
		}
	}
	must("contexts with other calls", calls_off, 0);
	must("contexts with other ticks", ticks_off, 0);
}

static void must_be_sound(const char *wrong)
{
	if (wrong) {
		printf("# %s\n", wrong);
		fail("invariants", 0, 1);
	}
}

static void compare_counters(void)
{
	const uint64_t *n = process_now->header->counters;
	must("jumps", n[ZPROF_REPAIR_JUMP], ref.jumps);
	must("switches", n[ZPROF_REPAIR_SWITCH], ref.switches);
	must("hooks abandoned", n[ZPROF_REPAIR_HOOK], ref.hooks);
	for (int i = ZPROF_LOSS_BUDGET; i <= ZPROF_LOSS_CLOCK_BACK; i++)
		must("losses", n[i], 0);
}

static void compare_path(int level)
{
	const struct track *k = track_of(level);
	int context = ref_current(level);
	const struct zprof_node *node = k->top->node;
	events++;
	must("jumps", process_now->header->counters[ZPROF_REPAIR_JUMP], ref.jumps);
	for (; node->parent; node = node_at(k->base, node->parent)) {
		must("zone on the stack", (uint64_t)zone_of(node),
		     (uint64_t)(context ? ref.lineage->context[context].zone : -1));
		context = ref.lineage->context[context].parent;
	}
	must("depth of the stack", 0, (uint64_t)context);
}

/* ---- one event */

static struct ref_line truth_of(const struct line *line, int count)
{
	struct ref_line truth = {.count = count};
	for (int i = 0; i < count; i++)
		truth.zone[i] = (struct ref_zone){
		    line->entry[i].uid, model_zone(line->entry[i].place), line->entry[i].alternate};
	return truth;
}

static int handler_in_hook(int level, uintptr_t sp, bool alternate);

struct action {
	struct line *line;
	int level, count; /* zones that stay open, with the one being left */
	bool enter;
	struct entry entry;
};

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

/* What hooks.c does, with room for handlers. Result: the level that a handler jumped to, or NEVER. */
static int in_usual_hook(const struct action *a, struct event *e, int seam, bool alternate)
{
	struct track *k = &track_self;
	int to = NEVER;
	bool usual;
	hot_begin(k, e->sp);
	tell_reference(a, e->ticks);
	if (seam == AT_BEGIN && (to = handler_in_hook(1, e->sp, alternate)) != NEVER)
		return to;
	usual = hot_at_home(k, e->sp) && (a->enter ? hot_enter(k, e, TIMING_EXACT, QUICK) ||
							 hot_enter(k, e, TIMING_EXACT, THOROUGH)
						   : hot_exit(k, e, TIMING_EXACT));
	if (!usual && a->enter)
		slow_enter(k, e);
	else if (!usual)
		slow_exit(k, e);
	apply(a);
	if (seam == AT_END && (to = handler_in_hook(1, e->sp, alternate)) != NEVER)
		return to;
	hot_end(k, e->sp);
	ref_settle(0);
	must_be_sound(track_sound(k));
	return to;
}

static int in_nested_hook(const struct action *a, struct event *e, int seam, bool alternate)
{
	struct nested n;
	int to = NEVER;
	if (!nested_begin(&n, e))
		fail("a hook that could not begin", 0, 1);
	tell_reference(a, e->ticks);
	must("level", n.track->level, (uint64_t)a->level);
	if (seam == AT_BEGIN && (to = handler_in_hook(a->level + 1, e->sp, alternate)) != NEVER)
		return to;
	if (a->enter)
		slow_enter(n.track, e);
	else
		slow_exit(n.track, e);
	apply(a);
	if (seam == AT_END && (to = handler_in_hook(a->level + 1, e->sp, alternate)) != NEVER)
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
	return quiet(a) || world.early || a->level > 2 || chance(6) ? NOWHERE
								    : AT_BEGIN + (int)chance(2);
}

static void early_handler(const struct action *a, const struct event *e);

static int happen(const struct action *a, struct event *e)
{
	int seam = draw_seam(a), to;
	bool early = !quiet(a) && !world.early && !a->entry.alternate && chance(12) == 0;
	bool there = a->entry.alternate || a->line->alternate;
	bool alternate = seam >= 0 && !there && chance(4) == 0;
	world.on_alternate[a->level] = there;
	track_self.own_node = NULL; /* for the reference, the library's own work takes no time */
	e->ticks = tick_read();
	if (early)
		early_handler(a, e);
	world.limit[a->level] = a->enter ? a->count : a->count - 1;
	to = track_self.busy ? in_nested_hook(a, e, seam, alternate)
			     : in_usual_hook(a, e, seam, alternate);
	if (to == a->level) {
		world.abandoned[a->level] = true;
		return NEVER;
	}
	if (to == NEVER)
		compare_path(a->level);
	return to;
}

/* ---- what a program may do next */

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
						       : 0xdead0000u + chance(4096)};
}

static int enter(int level, struct line *line, struct entry entry)
{
	struct action a = {line, level, line->count, true, entry};
	struct event e = event_of(&entry, 0);
	int to;
	say(model_inlined(entry.place) ? "enter inlined" : "enter", level, model_zone(entry.place));
	to = happen(&a, &e);
	/* From here on, alloca may have moved the stack pointer. */
	if (line->count > a.count && model_by_rbp(model_host(entry.place)) &&
	    !model_inlined(entry.place))
		line->entry[a.count].sp -= 16 * chance(8);
	return to;
}

/* `below`: bytes between the caller's stack pointer and the new frame. */
static int call(int level, struct line *line, uintptr_t below)
{
	int place = (int)chance(line->jumped ? MODEL_ZONES : MODEL_ZONES + 1);
	struct entry entry = {++world.uids, place, sp_of(line) - below, 0,
			      line->count && top_of(line)->alternate};
	if (place == MODEL_BARE)
		entry.place = MODEL_ZONES + MODEL_BARE * MODEL_SITES + (int)chance(MODEL_SITES);
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
			  : MODEL_ZONES + host * MODEL_SITES + (int)chance(MODEL_SITES);
	for (int i = line->count - 1; i >= 0 && line->entry[i].cfa == top->cfa; i--)
		if (line->entry[i].place == entry.place)
			return NEVER;
	return enter(level, line, entry);
}

static int handler_on_signal_stack(int level, struct line *line)
{
	struct entry entry = {++world.uids, (int)chance(MODEL_ZONES), world.alternate_top - 512, 0,
			      true};
	entry.sp = entry.cfa - model_distance(entry.place);
	say("on the signal stack", level, 0);
	return enter(level, line, entry);
}

static int leave(int level, struct line *line)
{
	struct action a = {line, level, line->count, false, *top_of(line)};
	bool tail = !model_inlined(a.entry.place) && chance(4) == 0;
	struct event e = event_of(&a.entry, 1 + (int)chance(2));
	bool split = model_inlined(a.entry.place) && !line->jumped && chance(3) == 0;
	if (split) {
		int host = model_host(a.entry.place);
		e.ret = model_ret(a.entry.place, MODEL_SPLIT);
		e.call_site = model_call(host);
		a.entry.cfa = e.sp;
		e.sp -= model_distance(MODEL_BARE);
		tail = chance(3) == 0;
	}
	say(split  ? "leave in a part"
	    : tail ? "leave by a tail call"
		   : "leave",
	    level, model_zone(a.entry.place));
	if (tail) {
		e.sp = a.entry.cfa;
		e.ret = e.call_site;
	}
	return happen(&a, &e);
}

static void early_handler(const struct action *a, const struct event *e)
{
	struct entry entry = {++world.uids, (int)chance(MODEL_ZONES), e->sp - 256, 0, false};
	entry.sp = entry.cfa - model_distance(entry.place);
	say("handler before a hook", a->level, 0);
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

/* ---- rare events, at level 0 */

static void change_stack(void)
{
	static const int coroutines[] = {2, 3};
	struct line *line = world.line[0];
	if (line->count && top_of(line)->alternate)
		return;
	world.on = chance(2) ? world.own : coroutines[chance(2)];
	world.line[0] = &world.stack[world.on];
	say("stack", world.on, 0);
}

static void empty(struct line *line)
{
	line->count = 0;
	line->jumped = false;
	line->same_place = -1;
	line->same_zone = false;
}

/* makecontext on a stack that no thread runs on. */
static void use_anew(void)
{
	if (world.on == 2 || !ref.lineage || ref.newborn)
		return;
	say("stack used anew", 2, 0);
	empty(&world.stack[2]);
	ref_forget(2);
	stack_learn(process_now, world.stack[2].start + 64 - STACK_BYTES, STACK_BYTES);
}

static void end_thread(void)
{
	const struct ref_line *seen = &ref.level[0].line;
	if (world.abandoned[0] || (seen->count && seen->zone[seen->count - 1].alternate))
		return;
	say("thread ends", world.on, 0);
	memset(&track_self, 0, sizeof track_self);
	track_self.busy = TRACK_UNREADY;
	world.own = world.on = (int)chance(2);
	world.line[0] = &world.stack[world.on];
	empty(&world.stack[0]);
	empty(&world.stack[1]);
	world.threadless = true;
}

static char *paths[16];
static int paths_used;

static void forget_file(void)
{
	paths[paths_used++] = strdup(process_now->file->path);
}

/* What a child sees: the page that fork wipes. */
static void become_child(void)
{
	if (!ref.lineage || world.threadless || ref.newborn || paths_used == 15)
		return;
	say("fork", 0, 0);
	if (!world.abandoned[0]) {
		compare_contexts();
		compare_counters();
	}
	forget_file();
	*process_now->here = *process_now->alive = 0;
	world.abandoned[0] = false;
	ref_fork();
}

/* ---- sequences */

static int step(int level, struct line *line)
{
	unsigned draw = chance(100);
	bool settled = !line->jumped,
	     normal = !line->alternate && !(line->count && top_of(line)->alternate);
	if (line->same_place >= 0)
		return draw < 50 || line->same_zone ? call_inlined(level, line)
						    : leave(level, line);
	if (line->count == 0)
		return call(level, line, 0);
	if (draw < 35 && line->count < 14)
		return call(level, line, settled ? 16 * chance(40) : 0);
	if (draw < 50 && line->count < 14)
		return call_inlined(level, line);
	if (draw >= 90 && draw < 94 && settled)
		return call(level, line, 128 + 16 * chance(100));
	if (draw >= 94 && draw < 97 && settled && normal && (level || world.on == ref.stack))
		return handler_on_signal_stack(level, line);
	if (draw >= 97 && line->count > (level ? 1 : 0)) {
		land(line, level ? 1 + (int)chance((unsigned)line->count)
				 : (int)chance((unsigned)line->count + 1));
		say("jump to", level, line->count);
		return NEVER;
	}
	return leave(level, line);
}

/* Jumps out of a handler that interrupted a hook, into a zone of that level or of one below it. */
static int jump_out(int level)
{
	int to = (int)chance((unsigned)level), first;
	if (world.limit[to] == 0)
		to = 0;
	first = to > 0;
	land(world.line[to], first + (int)chance((unsigned)(world.limit[to] + 1 - first)));
	world.line[to]->jumped = true;
	say("jump out of the handler, to", to, world.line[to]->count);
	return to;
}

static int handler_in_hook(int level, uintptr_t sp, bool alternate)
{
	struct line line = {.start =
				alternate ? world.alternate_top - 512 : sp - 256 - 16 * chance(20),
			    .alternate = alternate || world.on_alternate[level - 1],
			    .same_place = -1};
	int events_left = 1 + (int)chance(8), to = NEVER;
	say(alternate ? "handler in a hook, on the signal stack" : "handler in a hook", level, 0);
	world.levels++;
	world.line[level] = &line;
	while (to == NEVER && (events_left > 0 || line.count > 0))
		to = events_left-- > 0 || line.same_zone ? step(level, &line) : leave(level, &line);
	if (to == NEVER && world.limit[level - 1] > 0 && chance(8) == 0)
		to = jump_out(level);
	world.levels--;
	return to;
}

static void check_trees(void)
{
	for (const struct lineage *l = process_now->lineages; l; l = l->next)
		must_be_sound(tree_sound(process_now, &l->tree));
}

static void compare(void)
{
	check_trees();
	if (world.abandoned[0] || ref.newborn || world.threadless)
		return;
	compare_contexts();
	compare_counters();
}

static void run_sequence(void)
{
	int left = 20 + (int)chance(60);
	if (chance(2))
		end_thread();
	for (; left > 0; left--) {
		unsigned draw = chance(1000);
		if (draw < 40 && !world.abandoned[0] && !world.threadless)
			change_stack();
		else if (draw < 50)
			use_anew();
		else if (draw < 55)
			end_thread();
		else if (draw < 58)
			become_child();
		step(0, world.line[0]);
		if (verbose)
			compare();
	}
	compare();
}

static uintptr_t reserve_stack(void)
{
	char *p = mmap(NULL, STACK_BYTES + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || mprotect(p + 4096, STACK_BYTES, PROT_READ | PROT_WRITE) != 0)
		abort();
	return (uintptr_t)p + 4096 + STACK_BYTES;
}

/* The signal stack lies above some of the others, and below some. */
static void make_world(void)
{
	stack_t alternate = {.ss_size = STACK_BYTES};
	for (int i = REF_STACKS - 1; i >= 0; i--) {
		world.stack[i].start = reserve_stack() - 64;
		empty(&world.stack[i]);
		if (i == 1) {
			world.alternate_top = reserve_stack();
			alternate.ss_sp = (void *)(world.alternate_top - STACK_BYTES);
		}
	}
	if (sigaltstack(&alternate, NULL) != 0)
		abort();
	world.line[0] = &world.stack[0];
	ref.stack = 0;
}

static _Noreturn void run_batch(void)
{
	make_world();
	state = batch_seed * 0x9e3779b97f4a7c15u | 1;
	for (sequence = 0; sequence < BATCH; sequence++)
		run_sequence();
	if (process_now)
		forget_file();
	while (paths_used)
		unlink(paths[--paths_used]);
	exit(0);
}

static int batch(void)
{
	int status;
	pid_t child;
	fflush(stdout);
	child = fork();
	if (child == 0)
		run_batch();
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	if (WIFSIGNALED(status))
		printf("# died of signal %d: model -v %llu\n", WTERMSIG(status),
		       (unsigned long long)batch_seed);
	return status != 0;
}

int main(int argc, char **argv)
{
	long sequences = argc > 1 ? strtol(argv[1], NULL, 10) : 20000;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	int bad = 0;
	setenv("ZPROF_OPTIONS", "output=model.%p", 1);
	verbose = argc > 2 && strcmp(argv[1], "-v") == 0;
	if (verbose)
		sequences = BATCH;
	printf("# seeds from %llu\n", (unsigned long long)first);
	for (long done = 0; done < sequences && bad < 5; done += BATCH) {
		batch_seed = first + (uint64_t)(done / BATCH);
		bad += batch();
	}
	printf("%s 1 - the zone stack, contexts, calls, ticks and repairs of %ld random sequences "
	       "are the reference's\n1..1\n",
	       bad ? "not ok" : "ok", sequences);
	return bad != 0;
}
