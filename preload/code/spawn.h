/* SPDX-License-Identifier: MIT */
/*
 * spawn.h - runs the `zprof` that belongs to this library, without the program noticing.
 *
 * The child has no exit signal: the program gets no SIGCHLD, and its own wait() and waitpid() do
 * not see the child (wait4(2), __WCLONE). This child is a go-between that starts zprof, without the
 * preload.
 */
#ifndef ZPROF_SPAWN_H
#define ZPROF_SPAWN_H

#include <stdbool.h>

struct process;

#define SPAWN_ARGUMENTS 64

/*
 * Runs `zprof` with arguments (NULL-terminated, without argv[0]) and waits for its end. `in` and
 * `out` become zprof's descriptors 0 and 1; -1 stands for /dev/null. False, without a message:
 * zprof could not be run, or did not exit with 0.
 */
bool spawn_zprof(struct process *p, const char *const *arguments, int in, int out);

/* The same before a process is recorded: `library` is the path of this library. */
bool spawn_zprof_of(const char *library, unsigned long bytes, const char *const *arguments, int in,
		    int out);

/*
 * All that zprof has written to a file of memory, ended by a zero byte: *mapped bytes, for
 * sys_memory_free(). NULL: no memory.
 */
char *spawn_answer(int out, unsigned long *mapped);

#endif
