/* SPDX-License-Identifier: MIT */
/*
 * model.c - the library's state machine compared with a simple reference, through random sequences of events: calls, inlined
 * calls, returns (also tail-called ones, and from parts that were split off), jumps over frames, handlers (ordinary, on a signal
 * stack, in the middle of a hook, or in one that has only read the clock), switches of stack, ends of threads, forks,
 * recordings that follow one another.
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
#include "tests/hooks/model_compare.h"
#include "tests/hooks/model_program.h"
#include "tests/hooks/model_reference.h"

#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/track/lineage.h"
#include "preload/track/sound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 100 };

static uint64_t batch_seed;
static long sequence;

_Noreturn void world_fail(const char *what, int64_t got, int64_t wanted)
{
	printf("# %s: the library says %lld, the reference %lld\n", what, (long long)got,
	       (long long)wanted);
	printf("# sequence %ld, event %ld; all of it: model -v %llu\n", sequence, world_events,
	       (unsigned long long)batch_seed);
	fflush(stdout);
	unlink(process_now ? process_now->file->path : "");
	_exit(1);
}

/* ---- sequences */

static void check_trees(void)
{
	for (const struct lineage *l = process_now->lineages; l; l = l->next)
		if (l->tree.hash) /* else its thread is in a later recording */
			compare_sound(tree_sound(process_now, &l->tree));
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
	int left = 20 + (int)world_chance(60);
	if (world_chance(2))
		program_end_thread();
	for (; left > 0; left--) {
		unsigned draw = world_chance(1000);
		if (draw < 40 && !world.abandoned[0] && !world.threadless)
			program_change_stack();
		else if (draw < 50)
			program_use_anew();
		else if (draw < 55)
			program_end_thread();
		else if (draw < 58)
			program_fork();
		else if (draw < 70 && batch_seed % 4 == 0)
			program_next_recording();
		program_step(0, world.line[0]);
		if (world_verbose)
			compare();
	}
	compare();
}

static _Noreturn void run_batch(void)
{
	world_make();
	world_state = batch_seed * 0x9e3779b97f4a7c15u | 1;
	for (sequence = 0; sequence < BATCH; sequence++)
		run_sequence();
	if (process_now)
		program_forget_file();
	program_remove_files();
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
	world_verbose = argc > 2 && strcmp(argv[1], "-v") == 0;
	if (world_verbose)
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
