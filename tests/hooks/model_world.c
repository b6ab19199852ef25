/* SPDX-License-Identifier: MIT */
/* model_world.c - see model_world.h. */
#include "tests/hooks/model_world.h"

#include "tests/hooks/model_reference.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

uint64_t world_state;
bool world_verbose;
long world_events;
struct world world;

/* Linked in place of the library's: a made-up thread's control block lies on its made-up stack. */
uintptr_t __wrap_sys_thread_pointer(void);
uintptr_t __wrap_sys_thread_pointer(void)
{
	return world.stack[world.own].start;
}

unsigned world_chance(unsigned n)
{
	world_state ^= world_state >> 12;
	world_state ^= world_state << 25;
	world_state ^= world_state >> 27;
	return (unsigned)((world_state * 0x2545f4914f6cdd1du) >> 33) % n;
}

void world_say(const char *what, int a, int b)
{
	if (world_verbose)
		printf("# %*s%s %d %d\n", 2 * world.levels, "", what, a, b);
}

void world_empty(struct line *line)
{
	line->count = 0;
	line->jumped = false;
	line->same_place = -1;
	line->same_zone = false;
}

static uintptr_t reserve_stack(void)
{
	char *p =
	    mmap(NULL, WORLD_STACK_BYTES + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || mprotect(p + 4096, WORLD_STACK_BYTES, PROT_READ | PROT_WRITE) != 0)
		abort();
	return (uintptr_t)p + 4096 + WORLD_STACK_BYTES;
}

/* The signal stack lies above some of the others, and below some. */
void world_make(void)
{
	stack_t alternate = {.ss_size = WORLD_STACK_BYTES};
	for (int i = REF_STACKS - 1; i >= 0; i--) {
		world.stack[i].start = reserve_stack() - 64;
		world_empty(&world.stack[i]);
		if (i == 1) {
			world.alternate_top = reserve_stack();
			alternate.ss_sp = (void *)(world.alternate_top - WORLD_STACK_BYTES);
		}
	}
	if (sigaltstack(&alternate, NULL) != 0)
		abort();
	world.line[0] = &world.stack[0];
	ref.stack = 0;
}
