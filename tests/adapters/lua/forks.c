/* SPDX-License-Identifier: MIT */
/*
 * forks.c - forks children, which run coroutines, while another thread runs coroutines without end. A
 * lock that the thread had at that moment is nobody's in the child. Prints how many children ended well.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 200 };

struct lua_State;

struct lua_State *luaL_newstate(void);
void luaL_openlibs(struct lua_State *);
int luaL_loadstring(struct lua_State *, const char *text);
__attribute__((weak)) int lua_pcall(struct lua_State *, int arguments, int results, int handler);
__attribute__((weak)) int lua_pcallk(struct lua_State *, int arguments, int results, int handler,
				     long context, void *continuation);

static volatile int over;

static int run(struct lua_State *l)
{
	static const char text[] = "for i = 1, 50 do coroutine.wrap(function() end)() end";

	return luaL_loadstring(l, text) ||
	       (lua_pcallk ? lua_pcallk(l, 0, 0, 0, 0, NULL) : lua_pcall(l, 0, 0, 0));
}

static struct lua_State *make(void)
{
	struct lua_State *l = luaL_newstate();

	luaL_openlibs(l);
	return l;
}

static void *run_on(void *unused)
{
	struct lua_State *l = make();

	while (!over)
		run(l);
	return unused;
}

int main(void)
{
	struct lua_State *l = make();
	pthread_t thread;
	int good = 0, status;

	pthread_create(&thread, NULL, run_on, NULL);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (!child) {
			alarm(100);
			_exit(run(l));
		}
		good += waitpid(child, &status, 0) == child && !status;
		if (status)
			break;
	}
	over = 1;
	pthread_join(thread, NULL);
	printf("%d\n", good);
	return 0;
}
