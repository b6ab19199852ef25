/* SPDX-License-Identifier: MIT */
/*
 * running.h - a process that runs with libzprof.so, and what zprof asks of it
 * (preload/process/request.h).
 *
 * It is read and written while it runs; reach.h says how. With reach.stops all its threads stand still
 * while bytes of its code are stored: also those that the process itself decides on, for which it then
 * waits (running_store()).
 */
#ifndef REPORT_RUNNING_H
#define REPORT_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "preload/process/request.h"
#include "report/base/str.h"
#include "report/live/reach.h"

/* A file that the process has mapped, and where. */
struct running_module {
	char *path;
	uint64_t start;
};

/* The entry of a function, and the bytes by which it is off and on. */
struct running_entry {
	uint64_t at;
	uint8_t off, on;
	bool knocked; /* we have switched it on for this request */
};

struct running {
	pid_t pid;
	char proc[64];              /* /proc/PID/task/THREAD, of a thread that runs */
	bool same_user, same_files; /* as ours: its user, and what its paths mean */
	struct reach reach;
	struct running_module *modules;
	size_t module_count, module_room;
	uint64_t request;              /* where its struct zprof_request is */
	uint32_t matched, switched;    /* of the answer to WATCH and UNWATCH */
	struct running_entry *entries; /* none: they have not been looked for */
	size_t entry_count, entry_room;
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
 * If nobody has taken it on after RUNNING_KNOCK_NS: it may be that only functions are called that are
 * left out. Then all look.
 */
#define RUNNING_KNOCK_NS 50000000
bool running_knock(struct running *r, struct str *err);

/* Stores what the process has handed over, if it has. */
bool running_store(struct running *r, struct str *err);

/* Whether a thread of the process is at it, or has done it. */
bool running_is_taken_on(struct running *r);

/* Whether it has been answered; false with a message: the process has ended. */
bool running_answered(struct running *r, bool *answered, struct str *err);

/* The answer, and where the profile is. */
bool running_answer(struct running *r, struct str *profile, struct str *err);

/* Takes a request back that has not been answered, and switches off what was switched on for it. */
void running_withdraw(struct running *r);

#endif
