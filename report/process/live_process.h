/* SPDX-License-Identifier: MIT */
/*
 * live_process.h - which running process `zprof top`, `reset` and `snapshot` are about.
 */
#ifndef REPORT_LIVE_PROCESS_H
#define REPORT_LIVE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "report/core/base/str.h"

struct live_process {
	char *path;        /* of the profile; NULL: the user must choose one of several */
	const char *name;  /* of the processes to choose from; NULL: all */
	size_t candidates; /* how many processes there are to choose from */
};

/*
 * Finds the process that WORD names: by its number, else as an existing file, else as the name of
 * running processes. NULL means any process. False with a message if there is none. If there are
 * several, path is NULL.
 */
bool live_process_find(struct live_process *p, const char *word, struct str *err);

/* Like live_process_find(), but if there are several processes, that is an error that names
 * them. */
bool live_process_one(struct live_process *p, const char *word, struct str *err);

void live_process_free(struct live_process *p);

/* A program that `zprof top` has started in order to show it. */
struct live_program {
	pid_t pid;
	int output; /* descriptor of what it prints */
	char **argv;
};

/* Starts ARGV with the library preloaded, and keeps what the program prints. Then waits until the
 * program, or a process that it started, has a profile. False with a message. */
bool live_program_start(struct live_program *g, char **argv, char **profile, struct str *err);

/* Ends the program (SIGTERM) if it still runs, and prints what it had printed. */
void live_program_end(struct live_program *g);

#endif
