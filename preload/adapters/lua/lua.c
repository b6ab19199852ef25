/* SPDX-License-Identifier: MIT */
/*
 * lua.c - the adapter of Lua: reports calls of Lua functions by Lua's own hook.
 *
 * Each state gets the hook as it is made (fronts.h); a coroutine inherits it. Which frames are open is
 * kept for each coroutine (frames.h). A hook of the program's own is called from ours (chain.h).
 *
 * Here: the beginning, and what the program loads later.
 */
#include "preload/adapters/lua/frames.h"
#include "preload/adapters/lua/fronts.h"
#include "preload/adapters/lua/inside.h"
#include "preload/adapters/lua/library.h"
#include "preload/adapters/lua/slots.h"
#include "preload/zprof.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void adapter_look(take_function *take);

static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;

/* In a forked child: a thread that was looking is not there. What it has begun, the next look repeats. */
static void look_anew(void)
{
	looking = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/*
 * What luas[] are in. One that cannot be recorded has a place here, too. One of the program's own file has no
 * addresses: no table leads to it.
 */
static struct slot_library libraries[LUAS];
static size_t found;

static void miss(void)
{
	zprof_lent_missed(ZPROF_MISSED_INTERPRETER, 1);
}

static void find_libraries(void)
{
	static struct slot_library next;
	static bool too_many;

	while (slots_find("lua_newstate", libraries, found, &next)) {
		if (found == LUAS) {
			if (!too_many)
				miss();
			too_many = true;
			return;
		}
		if (!library_find(next.path, &luas[found]))
			miss();
		libraries[found++] = next;
	}
}

/*
 * Called when the adapter has been loaded, and after each dlopen() of the program. If `take` is there, the
 * program's own file has a Lua, and its functions can be taken over.
 */
EXPORT void adapter_look(take_function *take)
{
	static bool left, none;
	size_t i;

	pthread_mutex_lock(&looking);
	if (take && !inside_take_over(take, &luas[found++]))
		miss();
	find_libraries();
	if (!found && !none) {
		miss();
		none = true;
	}
	if (found > 1 && !slots_fill(fronts[0], FRONTS_COUNT) && !left) {
		miss();
		left = true;
	}
	for (i = 0; i < found; i++)
		if (libraries[i].end && luas[i].version != LUA_UNKNOWN)
			slots_change(&libraries[i], found == 1, fronts[i], FRONTS_COUNT);
	pthread_mutex_unlock(&looking);
}

static __attribute__((constructor)) void begin(void)
{
	const char *options = getenv("ZPROF_OPTIONS");

	frames_with_lines = options && strstr(options, "callsites=1");
	pthread_atfork(NULL, NULL, look_anew);
}
