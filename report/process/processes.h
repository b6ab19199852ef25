/* SPDX-License-Identifier: MIT */
/*
 * processes.h - the processes that are being recorded on this machine, found by the profiles that
 * they have mapped. Finding them asks nothing of them, and needs no list kept anywhere.
 */
#ifndef REPORT_PROCESSES_H
#define REPORT_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "report/core/base/str.h"

struct recorded {
	pid_t pid;
	char *path;    /* of its profile */
	char *name;    /* the last part of its first argument's path; "nginx" of "nginx: worker" */
	char *command; /* its arguments */
	uint64_t start_realtime_ns;
	uint8_t run_id[16];
};

struct processes {
	struct recorded *list; /* the youngest first */
	size_t count, room;
};

/* Finds the recorded processes that this user may look at; with NAME, only those of that name. */
void processes_find(struct processes *p, const char *name);
void processes_free(struct processes *p);

/* The path of the profile that process PID has mapped; free() it. NULL with a message. */
char *processes_profile(pid_t pid, struct str *err);

/* Whether process PID lives and has PATH mapped. */
bool processes_maps(pid_t pid, const char *path);

#endif
