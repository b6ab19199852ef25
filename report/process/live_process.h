/* SPDX-License-Identifier: MIT */
/*
 * live_process.h - which running process a command is about: `zprof top`, `reset` and `snapshot`.
 */
#ifndef REPORT_LIVE_PROCESS_H
#define REPORT_LIVE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "report/core/base/str.h"

struct live_process {
	char *path;        /* of the profile; NULL: one is to be chosen */
	const char *name;  /* of the processes to choose from; NULL: all */
	size_t candidates; /* how many there are */
};

/*
 * WORD is the number of a process, else an existing file, else the name of running processes; NULL
 * means any process. False with a message if there is none. If there are several, path is NULL.
 */
bool live_process_find(struct live_process *p, const char *word, struct str *err);

/* The same for a command that cannot ask: several are an error that names them. */
bool live_process_one(struct live_process *p, const char *word, struct str *err);

void live_process_free(struct live_process *p);

/* A program that was started to be looked at. */
struct live_program {
	pid_t pid;
	int output; /* descriptor of what it prints */
	char **argv;
};

/* Starts ARGV with the library preloaded; what it prints is kept. Then waits until it, or a process
 * that it started, has a profile. False with a message. */
bool live_program_start(struct live_program *g, char **argv, char **profile, struct str *err);

/* Ends it (SIGTERM) if it still runs, and prints what it printed. */
void live_program_end(struct live_program *g);

#endif
