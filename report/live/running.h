/* SPDX-License-Identifier: MIT */
/*
 * running.h - a process that runs with libzprof.so, and what zprof asks of it
 * (preload/process/request.h).
 *
 * All is read and written by /proc/PID/mem, while the process runs: it is not stopped, gets no signal
 * and no thread. The kernel allows that to those who may trace the process.
 */
#ifndef REPORT_RUNNING_H
#define REPORT_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "preload/process/request.h"
#include "report/base/str.h"

/* A file that the process has mapped, and where. */
struct running_module {
	char *path;
	uint64_t start;
};

struct running {
	pid_t pid;
	bool same_user, same_files; /* as ours: its user, and what its paths mean */
	int mem;
	struct running_module *modules;
	size_t module_count, module_room;
	uint64_t request;           /* where its struct zprof_request is */
	uint32_t matched, switched; /* of the answer to WATCH and UNWATCH */
	uint64_t *knocked;          /* addresses of entries that we have switched on... */
	uint8_t *was;               /* ...and the byte that was there */
	size_t knocked_count, knocked_room, was_room;
};

/* NAME is a number, or the name of exactly one program that runs with the library. */
bool running_open(struct running *r, const char *name, struct str *err);
void running_close(struct running *r);

enum running_state { RUNNING_UNBEGUN, RUNNING_PAUSED, RUNNING_RECORDING };
bool running_state(struct running *r, enum running_state *state, struct str *err);

/*
 * Asks, and wakes hooks so that the next call finds it. OPTIONS: for a recording that begins; or
 * patterns.
 */
bool running_ask(struct running *r, enum request_what what, const char *options, struct str *err);

/*
 * If there is no answer after RUNNING_KNOCK_NS: it may be that only functions are called that are
 * left out. Then all look.
 */
#define RUNNING_KNOCK_NS 50000000
bool running_knock(struct running *r, struct str *err);

/* Whether it has been answered; false with a message: the process has ended. */
bool running_answered(struct running *r, bool *answered, struct str *err);

/* The answer, and where the profile is. */
bool running_answer(struct running *r, struct str *profile, struct str *err);

/* Takes a request back that has not been answered, and switches off what was switched on for it. */
void running_withdraw(struct running *r);

#endif
