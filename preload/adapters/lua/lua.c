/* SPDX-License-Identifier: MIT */
/*
 * lua.c - the adapter of Lua: reports calls of Lua functions by Lua's own hook.
 *
 * Each state gets the hook as it is made; a coroutine inherits it. The hook keeps a list of the open
 * frames of each coroutine, those of C functions too, which are no zones. Lua tells nothing of frames
 * that an error ends, so each call says which frame its caller is, and frames above that have ended.
 *
 * The adapter must never run Lua code, raise an error, or leave anything on Lua's stack.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "preload/adapters/lua/functions.h"
#include "preload/adapters/lua/library.h"
#include "preload/adapters/lua/slots.h"
#include "preload/zprof.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void adapter_look(void);

struct frame {
	uintptr_t id;  /* of Lua's record of the frame, in use again once the frame has ended */
	uint32_t zone; /* 0: of a function in C */
	size_t below;  /* of a zone: zprof_lent_depth() before it was entered */
};

/* A coroutine, or the main one of a state. */
struct coroutine {
	struct coroutine *next;
	struct state *state;
	uint64_t owner; /* the number of the thread whose zone stack has the zones */
	uint64_t stack; /* for zprof_lent_switch() */
	struct frame *frames;
	size_t depth, room;
	size_t zones; /* frames that are zones */
	bool interpreted;
};

#define BUCKETS 4096u
static struct coroutine *buckets[BUCKETS];
static uint64_t threads;

static __thread struct {
	struct coroutine *current; /* whose zones are on the zone stack */
	uint64_t number;           /* no two threads have one; 0: no coroutine has run in it */
	bool met;                  /* zprof knows the thread */
	unsigned int skipped;      /* events in pauses */
} self __attribute__((tls_model("initial-exec")));

static bool with_lines;

static uintptr_t id_of(const union debug *ar)
{
	switch (lua.version) {
	case LUA_54:
		return (uintptr_t)ar->v54.frame;
	case LUA_51:
		return (uintptr_t)ar->v51.frame;
	case LUA_JIT:
		return (uintptr_t)ar->v51.frame & 0xffff; /* above that: the frame's size */
	default:
		return (uintptr_t)ar->v52.frame;
	}
}

/* Whether ids are places on Lua's stack, which grow with it. */
static bool ids_grow(void)
{
	return lua.version == LUA_51 || lua.version == LUA_JIT;
}

/* ---- coroutines */

/* A state runs in one thread at a time, so nobody else adds its record. (No lock: see functions.c.) */
static struct coroutine *find(struct state *l)
{
	struct coroutine **bucket = &buckets[((uintptr_t)l >> 4) % BUCKETS], *c;
	struct coroutine *first = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);

	for (c = first; c && c->state != l; c = c->next)
		;
	if (c || !(c = calloc(1, sizeof(*c))))
		return c;
	c->state = l;
	c->next = first;
	while (!__atomic_compare_exchange_n(bucket, &c->next, c, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return c;
}

/*
 * The zones of a coroutine that yields are above its resumer's place on the zone stack, which may be
 * another each time. Zones that have compiled functions between them stay where they are: there is no
 * yield across these functions.
 */
static void follow_move(struct coroutine *c)
{
	struct frame *first = c->frames, *last = c->frames + c->depth, *f;
	size_t base;

	if (!c->zones)
		return;
	while (!first->zone)
		first++;
	do
		last--;
	while (!last->zone);
	base = zprof_lent_depth() - c->zones;
	if (last->below - first->below != c->zones - 1 || base == first->below)
		return;
	base -= first->below;
	for (f = first; f <= last; f++)
		f->below += base;
}

/* Makes `l` the coroutine whose zones are on the zone stack. NULL: no memory. */
static __attribute__((noinline)) struct coroutine *switch_to(struct state *l)
{
	struct coroutine *c = find(l);

	if (!c)
		return NULL;
	if (!self.number || c->owner != self.number) {
		/* Another thread has its zones, if it had any. They are entered here again. */
		c->stack = self.number ? zprof_lent_stack() : 0;
		if (!self.number)
			self.number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
		c->owner = self.number;
		c->depth = c->zones = 0;
	}
	if (self.current)
		zprof_lent_switch(c->stack);
	self.current = c;
	follow_move(c);
	return c;
}

/* ---- frames */

/* One place in the code for each kind of event: the library remembers where an event came from. */
static __attribute__((noinline)) void enter(uint32_t zone)
{
	zprof_lent_enter(zone);
}

static __attribute__((noinline)) void enter_at(uint32_t zone, int line)
{
	zprof_lent_enter_at(zone, line > 0 ? (uint32_t)line : 0, 0);
}

static __attribute__((noinline)) void reenter(uint32_t zone)
{
	zprof_lent_reenter(zone);
}

static __attribute__((noinline)) void leave(void)
{
	zprof_lent_leave();
}

static void push(struct coroutine *c, uintptr_t id, uint32_t zone, size_t below)
{
	if (c->depth == c->room) {
		size_t room = 2 * c->room + 64;
		struct frame *more = realloc(c->frames, room * sizeof(*more));

		if (!more) {
			if (zone)
				leave();
			return;
		}
		c->frames = more;
		c->room = room;
	}
	c->frames[c->depth].id = id;
	c->frames[c->depth].below = below;
	c->frames[c->depth++].zone = zone;
	c->zones += zone != 0;
}

/*
 * Abandons the zones of all frames from `depth` on: an error has ended them. If the jump went over
 * compiled functions with hooks, the library may have abandoned some already.
 */
static __attribute__((noinline)) void abandon(struct coroutine *c, size_t depth)
{
	size_t below = SIZE_MAX;

	while (c->depth > depth) {
		const struct frame *f = &c->frames[--c->depth];

		if (f->zone) {
			below = f->below;
			c->zones--;
		}
	}
	if (zprof_lent_depth() > below)
		zprof_lent_unwind(below);
}

/*
 * Lua 5.1 reports a tail call as a call. If the caller's frame is now the function that was called
 * last, with no function in C between the two, that function has taken the frame.
 */
static void follow_tail_51(struct coroutine *c, uintptr_t id)
{
	struct frame *top = &c->frames[c->depth - 1];

	if (lua.version != LUA_51 || c->depth < 2 || top->id != id + 1 || !top->zone ||
	    top[-1].id != id || !top[-1].zone)
		return;
	leave();
	leave();
	reenter(top->zone);
	top[-1].zone = top->zone;
	c->depth--;
	c->zones--;
}

/* Abandons frames until the innermost is `id`; 0: no frame. */
static void settle(struct coroutine *c, uintptr_t id)
{
	size_t depth = c->depth;

	if (depth && c->frames[depth - 1].id == id)
		return;
	if (depth)
		follow_tail_51(c, id);
	depth = c->depth;
	while (depth &&
	       (ids_grow() && id ? c->frames[depth - 1].id > id : c->frames[depth - 1].id != id))
		depth--;
	if (depth != c->depth)
		abandon(c, depth);
}

/* Enters the frames from `level` on, which were open before anything was recorded. */
static __attribute__((noinline)) void enter_open(struct coroutine *c, int level)
{
	union debug ar;
	int end = level;

	while (lua.getstack(c->state, end, &ar))
		end++;
	while (--end >= level) {
		size_t below = zprof_lent_depth();
		uint32_t zone;

		lua.getstack(c->state, end, &ar);
		zone = functions_of(c->state, &ar);
		if (zone)
			reenter(zone);
		push(c, id_of(&ar), zone, below);
	}
}

static void called(struct coroutine *c, union debug *ar)
{
	union debug caller;
	bool has_caller = lua.getstack(c->state, 1, &caller);
	uintptr_t id = id_of(ar);
	size_t below = 0;
	uint32_t zone;

	settle(c, has_caller ? id_of(&caller) : 0);
	if (!c->depth && has_caller)
		enter_open(c, 1);
	zone = functions_of(c->state, ar);
	if (zone)
		below = zprof_lent_depth();
	if (zone && with_lines) {
		int line = 0;

		if (has_caller && c->depth && c->frames[c->depth - 1].zone &&
		    lua.getinfo(c->state, "l", &caller))
			line = DEBUG_FIELD(&caller, currentline);
		enter_at(zone, line);
	} else if (zone) {
		enter(zone);
	}
	push(c, id, zone, below);
}

/* A function takes the frame of the one that calls it. */
static void tail_called(struct coroutine *c, union debug *ar)
{
	uintptr_t id = id_of(ar);
	uint32_t zone = functions_of(c->state, ar);
	union debug caller;

	/* Before 5.4 the new function is still above the frame that it takes. */
	if (lua.version != LUA_54 && lua.version != LUA_JIT && lua.getstack(c->state, 1, &caller))
		id = id_of(&caller);
	if (c->depth && c->frames[c->depth - 1].id != id)
		settle(c, id);
	if (!zone || !c->depth || !c->frames[c->depth - 1].zone) {
		called(c, ar);
		return;
	}
	zprof_lent_replace(zone, ZPROF_CALL);
	c->frames[c->depth - 1].zone = zone;
}

static void returned(struct coroutine *c, union debug *ar)
{
	uintptr_t id = id_of(ar);

	if (!c->depth)
		enter_open(c, 0);
	settle(c, id);
	if (!c->depth)
		return;
	if (c->frames[--c->depth].zone) {
		c->zones--;
		leave();
	}
}

/* ---- events */

/*
 * Whether events are left out, because of a pause. The first event afterwards enters the frames that
 * are open. A program that is all Lua calls no hook that would find a request to record, so now and
 * then the library is called.
 */
static bool in_pause(void)
{
	if (zprof_recording()) {
		self.met = true;
		return false;
	}
	if (self.current && self.current->depth)
		abandon(self.current, 0);
	if (self.met) {
		if (self.skipped++ % 16 == 0)
			zprof_lent_depth();
	} else {
		reenter(zprof_lent("(paused)", "lua", NULL, 0));
		leave();
		self.met = true;
	}
	return true;
}

/* The modes of luaJIT_setmode(). */
enum { ENGINE = 0, WHAT = 0xff, OFF = 0, ON = 0x100 };

/* LuaJIT's compiled code calls no hook, and luaopen_jit() switches the compiler on. */
static void interpret(struct coroutine *c, union debug *ar)
{
	if (lua.version == LUA_JIT && !c->interpreted && functions_of(c->state, ar)) {
		lua.setmode(c->state, 0, ENGINE | OFF);
		c->interpreted = true;
	}
}

static void hook(struct state *l, union debug *ar)
{
	int event = ar->v51.event;
	struct coroutine *c = self.current;

	if (in_pause())
		return;
	if (!c || c->state != l || c->owner != self.number)
		c = switch_to(l);
	if (!c)
		return;
	if (event == EVENT_CALL) {
		interpret(c, ar);
		if (lua.version == LUA_JIT && c->depth && c->frames[c->depth - 1].id == id_of(ar) &&
		    c->frames[c->depth - 1].zone)
			tail_called(c, ar);
		else
			called(c, ar);
	} else if (event == EVENT_RETURN) {
		returned(c, ar);
	} else if (event == EVENT_TAIL && lua.version != LUA_51 && lua.version != LUA_JIT) {
		tail_called(c, ar);
	}
}

/* ---- what stands in the place of Lua's functions */

static void install(struct state *l)
{
	lua.sethook(l, hook, MASK_CALL | MASK_RETURN, 0);
}

static struct state *newstate(void *allocate, void *data)
{
	struct state *l = lua.newstate(allocate, data);

	if (l)
		install(l);
	return l;
}

/* The program's own hook takes our place until the program removes it. */
static int sethook(struct state *l, hook_function *f, int mask, int count)
{
	if (f && mask) {
		if (lua.gethook(l) == hook) {
			struct coroutine *c = self.current;

			if (c && c->state == l)
				abandon(c, 0);
			zprof_lent_missed(ZPROF_MISSED_STRETCH, 1);
		}
		return lua.sethook(l, f, mask, count);
	}
	install(l);
	return 1;
}

static hook_function *gethook(struct state *l)
{
	hook_function *f = lua.gethook(l);

	return f == hook ? NULL : f;
}

static int gethookmask(struct state *l)
{
	return lua.gethook(l) == hook ? 0 : lua.gethookmask(l);
}

static int gethookcount(struct state *l)
{
	return lua.gethook(l) == hook ? 0 : lua.gethookcount(l);
}

/* A program that is recorded does not switch LuaJIT's compiler on. */
static int setmode(struct state *l, int index, int mode)
{
	if ((mode & WHAT) == ENGINE && (mode & ON))
		return 1;
	return lua.setmode(l, index, mode);
}

/* ---- the beginning, and what the program loads later */

static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;

/* In a forked child: a thread that was looking is not there. What it has begun, the next look repeats. */
static void look_anew(void)
{
	looking = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* Called as the adapter is loaded, and after each dlopen() of the program. */
EXPORT void adapter_look(void)
{
	static bool known, refused;
	static struct slot_library library;
	struct slot_library other;
	struct slot_change changes[] = {
	    {"lua_newstate", (void *)newstate, 0},
	    {"lua_sethook", (void *)sethook, 0},
	    {"lua_gethook", (void *)gethook, 0},
	    {"lua_gethookmask", (void *)gethookmask, 0},
	    {"lua_gethookcount", (void *)gethookcount, 0},
	    {"luaJIT_setmode", (void *)setmode, 0},
	};
	bool others;

	pthread_mutex_lock(&looking);
	if (!known)
		known = slots_find("lua_newstate", NULL, &library) && library_find(&library);
	others = known && slots_find("lua_newstate", &library, &other) &&
		 dlsym(RTLD_DEFAULT, "lua_newstate") != (void *)library.symbol;
	if (known && lua.version != LUA_UNKNOWN)
		slots_change(&library, others, changes, sizeof(changes) / sizeof(changes[0]));
	/* Lua is of a version that is not known, or it is a second Lua beside the one that is known. */
	if (!refused && (!known || lua.version == LUA_UNKNOWN || others)) {
		zprof_lent_missed(ZPROF_MISSED_INTERPRETER, 1);
		refused = true;
	}
	pthread_mutex_unlock(&looking);
}

static __attribute__((constructor)) void begin(void)
{
	const char *options = getenv("ZPROF_OPTIONS");

	with_lines = options && strstr(options, "callsites=1");
	pthread_atfork(NULL, NULL, look_anew);
	adapter_look();
}
