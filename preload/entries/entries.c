/* SPDX-License-Identifier: MIT */
/* entries.c - see entries.h. */
#include "preload/entries/entries.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/process/upward.h"
#include "preload/profile/losses.h"
#include "preload/code/areas.h"
#include "preload/code/call_places.h"
#include "preload/code/location.h"
#include "preload/code/module.h"
#include "preload/sites/module_hooks.h"
#include "preload/track/lent.h"
#include "preload/track/levels.h"
#include "preload/track/lineage.h"
#include "preload/track/open.h"
#include "preload/calls/watch.h"
#include "preload/stacks/arrays.h"
#include "preload/stacks/bounds.h"

/* So many frames of the real stack are walked at most. */
#define FRAMES_MAX 100000

/* ---- which modules have entries alone */

/* Whether code of the module calls the hook of entries, and not the hook of exits beside it. */
static bool has_entries_alone(const struct module *m)
{
	struct scan_image image;
	struct scan_hooks hooks;
	bool enters = false, returns = false;
	uint32_t i;

	if (!module_hooks(m, &image, &hooks))
		return false;
	for (i = 0; i < hooks.count; i++) {
		enters |= hooks.slots[i].hook == ZPROF_SITE_FENTRY;
		returns |= hooks.slots[i].hook == ZPROF_SITE_RETURN;
	}
	return enters && !returns;
}

UPWARD_PLACE(fronts, void, (const struct process *));

/*
 * Whether it is too late for such a module: calls are timed by a clock, or one by one. Its functions
 * then count as left without returning.
 */
static bool is_too_late(const struct process *p)
{
	return process_now == p && (p->header->mode == ZPROF_MODE_EXACT || p->watching->active);
}

static void begin(struct process *p)
{
	call_places_begin(p);
	p->entries_alone = true;
	__atomic_fetch_or(&p->header->flags, ZPROF_ENTRIES, __ATOMIC_RELAXED);
}

/* The module can be read: its code runs, or the process is beginning. */
static bool look_at(struct process *p, struct module *m)
{
	if (m->looked)
		return false;
	m->looked = true;
	if (is_too_late(p) || !has_entries_alone(m))
		return false;
	begin(p);
	return true;
}

bool entries_look_at_all(struct process *p)
{
	uint32_t i;

	if (p->options->plans)
		begin(p);

	for (i = 0; i < p->modules->at_start && !p->entries_alone; i++)
		if (p->modules->table[i].ready)
			look_at(p, &p->modules->table[i]);
	return p->entries_alone;
}

void entries_look(struct process *p, uintptr_t code)
{
	const struct module *m;

	if (p->entries_alone || !(m = module_find(p, code)))
		return;
	if (look_at(p, &p->modules->table[m - p->modules->table]))
		upward_fronts(p);
}

/* ---- whether a frame is that of a zone */

/* The outermost zone of f's frame: the function's own, below zones that are marked by hand in it. */
static const struct open_zone *own_zone(const struct open_zone *f)
{
	while (f[-1].cfa == f->cfa)
		f--;
	return f;
}

/*
 * Whether a function begins with a call of a hook, as the compiler writes it: `endbr64` and `push
 * %r10` may stand before the call, and one byte of the call is another while it is switched off
 * (sites/scan.h). Or with a jump to its trampoline.
 */
static bool begins_with_hook(uintptr_t function)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	const unsigned char *at = (const unsigned char *)function;

	if (area_has_entry_of(function))
		return true;
	if (at[0] == 0x41 && at[1] == 0x52)
		at += 2;
	if (!memcmp(at, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	if (at[0] == 0x67)
		at++;
	return at[0] == 0xe8 || at[0] == 0xa9 ||
	       ((at[0] == 0xff || at[0] == 0x85) && at[1] == 0x15);
}

/*
 * Whether the code before `pc` can run in the frame of the open zone `f`: it is of the same
 * function, or of a part that the compiler has split off. Nothing tells which function most parts
 * belong to, so they are not compared. A part that begins before there is a frame looks like a
 * function that has no hook, and that the zone's function jumps to.
 */
static bool runs_in(const struct track *k, const struct open_zone *f, uintptr_t pc)
{
	const struct twin *t = twin_of(own_zone(f)->node);
	struct location here, zone = {twin_ret(t), t->rule, t->host};

	location_at(k->process, area_place(pc), &here);
	if (here.host == LOCATION_ANY_HOST || t->host == LOCATION_ANY_HOST || here.host == t->host)
		return true;
	return !begins_with_hook(location_host(&here)) &&
	       location_goes_on(k->process, &zone, &here);
}

bool entries_runs_in(const struct track *k, const struct open_zone *f, uintptr_t pc)
{
	return runs_in(k, f, pc);
}

/* ---- the walk */

/* A word of the stack: a return address, a saved rbp, or the CFA of a realigned frame. */
struct word {
	uintptr_t at, value;
};

#define WALK_WORDS  48
#define WALKS       256
#define TRAIL_WORDS (2 * WALK_WORDS)

/* What a walk from a place has found. */
struct walk {
	uintptr_t from, cfa; /* it began at this return address, above this CFA; from 0: none */
	uintptr_t callers;   /* the CFA of the frame of the zone that was found */
	uintptr_t pc;        /* a return address in that zone's function */
	uintptr_t bp;        /* rbp at its beginning ... */
	bool bp_matters;     /* ... and whether a frame was found by this rbp */
	uint32_t words;
	struct word word[WALK_WORDS]; /* what was read on the way */
};

/* A walk in progress, which is also one from each place that it has come through. */
struct trail {
	uintptr_t callers, pc;
	uint32_t words, places;
	uint32_t open; /* rbp is still as it was at the places from this one on */
	bool too_long;
	struct word word[TRAIL_WORDS];
	struct {
		uintptr_t from, cfa, bp;
		bool bp_matters;
		uint32_t words; /* as many were found before this place */
	} place[TRAIL_WORDS];
};

struct walks {
	struct walk known[WALKS];
	struct trail trail;
};

/* Begins a trail. NULL: no memory, or a handler's level, which may have interrupted a walk. */
static struct trail *new_trail(const struct track *k)
{
	struct lineage *l = k->lineage;

	if (k->level)
		return NULL;
	if (!l->walks)
		l->walks = sys_memory(sizeof(*l->walks));
	if (!l->walks)
		return NULL;
	l->walks->trail.words = l->walks->trail.places = l->walks->trail.open = 0;
	l->walks->trail.too_long = false;
	return &l->walks->trail;
}

static struct walk *place_for(const struct track *k, uintptr_t from, uintptr_t cfa)
{
	return &k->lineage->walks->known[((from + cfa) * 0x9e3779b97f4a7c15u >> 40) % WALKS];
}

/* Whether a walk would find the same frames now. */
static bool holds(const struct track *k, const struct walk *w, const struct place *at,
		  uintptr_t cfa)
{
	uint32_t i;

	if (w->from != at->pc || w->cfa != cfa || (w->bp_matters && w->bp != at->bp))
		return false;
	for (i = 0; i < w->words; i++)
		if (!unwind_on_stack(k, w->word[i].at) ||
		    *(const uintptr_t *)w->word[i].at != w->word[i].value)
			return false;
	return true;
}

/*
 * The zone that a remembered walk found, if it is still open. NULL: walk again. So it is if one of
 * the frames on the way, which was no zone's then, has the CFA of a zone now.
 */
static struct open_zone *again(const struct track *k, const struct walk *w)
{
	struct open_zone *f = k->top;
	uint32_t i = 0;

	while (f->cfa < w->callers) {
		while (i < w->words && w->word[i].at + sizeof(uintptr_t) < f->cfa)
			i++;
		if (i < w->words && w->word[i].at + sizeof(uintptr_t) == f->cfa)
			return NULL;
		f--;
	}
	return f->cfa == w->callers && runs_in(k, f, w->pc) ? f : NULL;
}

static void add_word(struct trail *t, struct word word)
{
	if (t->words == TRAIL_WORDS)
		t->too_long = true;
	else
		t->word[t->words++] = word;
}

/* A frame was found by the rbp that the walk began with at the places which are open. */
static void bp_matters(struct trail *t)
{
	for (; t->open < t->places; t->open++)
		t->place[t->open].bp_matters = true;
}

/*
 * Notes what the latest step has read: the frame `cfa` returns to at->pc. (The return address comes first,
 * because again() looks for CFAs in the order of frames.)
 */
static void add_step(struct trail *t, const struct place *at, uintptr_t cfa)
{
	if (at->by_bp)
		bp_matters(t);
	if (at->bp_at)
		t->open = t->places;
	add_word(t, (struct word){cfa - sizeof(cfa), at->pc});
	if (at->bp_at)
		add_word(t, (struct word){at->bp_at, at->bp});
	if (at->cfa_at)
		add_word(t, (struct word){at->cfa_at, cfa});
}

/*
 * The trail comes to a place. If a walk from there is remembered, and would find the same again,
 * ends the trail as that walk ended, and returns the zone; else NULL.
 */
static struct open_zone *known_from(const struct track *k, struct trail *t, const struct place *at,
				    uintptr_t cfa)
{
	const struct walk *w = place_for(k, at->pc, cfa);
	struct open_zone *f = holds(k, w, at, cfa) ? again(k, w) : NULL;
	uint32_t i;

	if (f) {
		if (w->bp_matters)
			bp_matters(t);
		for (i = 0; i < w->words; i++)
			add_word(t, w->word[i]);
		t->callers = w->callers;
		t->pc = w->pc;
	} else if (t->places < TRAIL_WORDS) {
		t->place[t->places].from = at->pc;
		t->place[t->places].cfa = cfa;
		t->place[t->places].bp = at->bp;
		t->place[t->places].bp_matters = false;
		t->place[t->places++].words = t->words;
	}
	return f;
}

/*
 * Remembers a trail that has found a zone, from each of its places. (A walk without words is not
 * remembered: nothing on the stack would show that another one goes the same way.)
 */
static void remember(const struct track *k, const struct trail *t)
{
	uint32_t i, j, words;

	for (i = 0; i < t->places && !t->too_long; i++) {
		struct walk *w = place_for(k, t->place[i].from, t->place[i].cfa);

		words = t->words - t->place[i].words;
		if (!words || words > WALK_WORDS)
			continue;
		w->from = 0; /* a jump out of a handler leaves no half-written walk */
		cpu_barrier();
		w->cfa = t->place[i].cfa;
		w->bp = t->place[i].bp;
		w->bp_matters = t->place[i].bp_matters;
		w->callers = t->callers;
		w->pc = t->pc;
		w->words = words;
		for (j = 0; j < words; j++)
			w->word[j] = t->word[t->place[i].words + j];
		cpu_barrier();
		w->from = t->place[i].from;
	}
}

/* The innermost zone of a part of the zone stack (unwind_part()). */
static struct open_zone *top_of(const struct track *k, int part)
{
	return part < (int)k->barriers ? k->bottom + k->barrier[part].depth : k->top;
}

/*
 * Whether `f` is of a part, as its barrier is. A copy of a track may have a part without a barrier and
 * without zones (entries_interrupted()).
 */
static bool is_of_part(const struct track *k, int part, const struct open_zone *f)
{
	return part == 0 || f > k->bottom + k->barrier[part - 1].depth;
}

/*
 * Whether a frame with this CFA, of a part of the zone stack, is that of the hook which the handler of the
 * track's level has interrupted, or one above. No zone of the level runs there: zones that an earlier
 * handler left may have had such frames.
 */
static bool is_below_handler(const struct track *k, int part, uintptr_t cfa)
{
	uintptr_t hook = k->level ? levels_below(k)->busy & ~TRACK_MARK : 0;

	return hook && cfa >= hook && unwind_part(k, hook) == part;
}

/* The innermost of the lent zones that stand on `f`, or `f`. They end by calls, and so are open. */
static struct open_zone *over_lent(const struct track *k, struct open_zone *f)
{
	uintptr_t cfa = lent_cfa(f);

	while (f < k->top && f[1].cfa == cfa && (lent_is(f[1].node) || lent_placeholder(f + 1)))
		f++;
	return f;
}

/*
 * Follows the real stack from *at to the frame of an open zone; from the stack of a signal handler
 * on to that which it interrupted. CFAs are compared within one stack. The track of a level above 0
 * has the zones of a handler, and none of these is open if the walk ends before it finds one. `t`
 * may be NULL.
 */
static struct open_zone *follow(const struct track *k, struct place *at, struct trail *t,
				bool *sure)
{
	int part = (int)k->barriers, now;
	struct open_zone *f = k->top, *known;
	uintptr_t cfa, pc = at->pc;
	bool end = false, comparable;
	uint32_t n;

	*sure = true;
	at->crosses = true;
	for (n = 0; n < FRAMES_MAX && f > k->bottom && unwind_next(k, at, &cfa, &end); n++) {
		now = unwind_part(k, cfa - sizeof(cfa));
		if (now >= 0 && now < part)
			f = top_of(k, part = now);
		if (is_below_handler(k, now, cfa))
			return k->bottom;
		comparable = now == part && is_of_part(k, part, f);
		while (comparable && f->cfa < cfa)
			f--;
		/* A function that has just returned has its CFA where a signal finds sp. */
		if (comparable && f->cfa == cfa && !at->resumed && runs_in(k, f, pc)) {
			if (t) {
				t->callers = cfa;
				t->pc = pc;
			}
			return f;
		}
		while (comparable && f->cfa == cfa)
			f--;
		pc = at->pc;
		if (t) {
			add_step(t, at, cfa);
			known = at->interrupted ? NULL : known_from(k, t, at, cfa);
			if (known)
				return known;
		}
	}
	if (k->level)
		return k->bottom;
	if (end)
		return over_lent(k, k->bottom);
	*sure = f == k->bottom;
	return f;
}

struct open_zone *entries_open_at(const struct track *k, struct place at, bool *sure)
{
	return follow(k, &at, NULL, sure);
}

/*
 * The barrier above `f`, if a signal handler on a stack of its own has interrupted the zone of `f`.
 * The barrier then stands for that zone, and zones between the two have ended. Else `f`.
 */
static struct open_zone *over_barrier(struct track *k, struct open_zone *f)
{
	struct open_zone *barrier;

	if (!k->barriers || f >= (barrier = top_of(k, (int)k->barriers - 1) + 1))
		return f;
	barrier->node = f->node;
	return barrier;
}

/*
 * The zone that made the call which returns to `at`, if it is a recorded function's and its frame
 * is found by a distance, as it nearly always is: then no .eh_frame need be read. Else NULL.
 */
static struct open_zone *direct_caller(struct track *k, const struct place *at)
{
	struct open_zone *f = k->top;
	uintptr_t callers;
	uint64_t place;

	call_places_learn(k->process, at->pc);
	if (!k->touched)
		k->calls = k->process->locations->calls;
	place = *call_place(k->process->locations->calls, at->pc);
	if (!call_place_is(place, at->pc))
		return NULL;
	callers = call_place_cfa(place, at->sp, at->bp);
	while (f->cfa < callers)
		f--;
	return f->cfa == callers && runs_in(k, f, at->pc) ? f : NULL;
}

/* Whether no zone has a higher CFA, as where recording has begun within the caller. */
static bool none_encloses(const struct track *k, uintptr_t cfa)
{
	const struct open_zone *f = k->top;

	while (f->cfa <= cfa && f > k->bottom)
		f--;
	return f == k->bottom;
}

/* Follows the real stack from a place below the frame `cfa`, as a remembered walk did, or anew. */
static struct open_zone *walk(struct track *k, struct place *at, uintptr_t cfa, bool *sure)
{
	struct trail *t = new_trail(k);
	struct open_zone *f = t ? known_from(k, t, at, cfa) : NULL;

	*sure = true;
	if (f)
		return f;
	f = follow(k, at, t, sure);
	if (t && *sure && !at->interrupted && f > k->bottom)
		remember(k, t);
	return f;
}

struct open_zone *entries_caller(struct track *k, const struct event *e, uintptr_t cfa)
{
	struct open_zone *f;
	struct place at;
	bool sure;

	if (!unwind_first(k, e, cfa, &at)) {
		losses_count(k->process, ZPROF_ENTRIES_GUESSED, 1);
		for (f = k->top; f->cfa <= cfa; f--)
			;
		return f;
	}
	if (none_encloses(k, cfa))
		return k->bottom;
	f = direct_caller(k, &at);
	if (f)
		return f;
	f = walk(k, &at, cfa, &sure);
	losses_count(k->process, ZPROF_ENTRIES_GUESSED, !sure);
	return over_barrier(k, f);
}

/* The place in the program that an event comes from. */
static struct place place_of(const struct event *e)
{
	if (location_is_bare(e))
		return (struct place){
		    .pc = e->call_site, .sp = e->sp + sizeof(uintptr_t), .bp = e->bp};
	return (struct place){.pc = e->ret, .sp = e->sp, .bp = e->bp};
}

/*
 * If event `e` comes from the signal stack, and the track has not met the handler there: makes that stack
 * the track's own, and the interrupted one that below a barrier. `k` is a copy of a track. No zone is put
 * on the zone stack for the barrier, because the interrupted hook may be writing there. False: nothing is
 * known of the event's stack.
 */
static bool move_to_stack_of(struct track *k, const struct event *e)
{
	if (unwind_part(k, e->sp) >= 0 || k->barriers == TRACK_BARRIERS)
		return true;
	k->barrier[k->barriers++] =
	    (struct barrier){(size_t)(k->top - k->bottom), k->stack_low, k->stack_bytes};
	return bounds_of_signal_stack(e->sp, &k->stack_low, &k->stack_bytes);
}

struct open_zone *entries_innermost(struct track *k, const struct event *e)
{
	struct place at = place_of(e);
	bool sure;

	return over_barrier(k, walk(k, &at, at.sp, &sure));
}

void entries_settle_level(struct track *k, const struct event *e)
{
	struct place at = place_of(e);
	struct track copy = *k;
	struct open_zone *f = k->bottom;
	bool sure;

	if (k->top == k->bottom)
		return;
	if (move_to_stack_of(&copy, e))
		f = follow(&copy, &at, NULL, &sure);
	open_abandon(k, f == k->bottom ? f : over_barrier(k, f));
}

struct zprof_node *entries_interrupted(const struct track *below, const struct event *e)
{
	struct place at = place_of(e);
	struct track copy = *below;
	bool sure;

	if (!move_to_stack_of(&copy, e))
		return below->top->node;
	return follow(&copy, &at, NULL, &sure)->node;
}
