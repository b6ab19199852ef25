/* SPDX-License-Identifier: MIT */
/*
 * process_state.h - what a process does that was recorded: the one answer for all commands.
 *
 *     recording     it runs, and is being recorded (or has paused recording by itself)
 *     not recorded  it runs, and is not: 'zprof detach' has ended that, or it was started with
 *                   start=off; 'zprof attach' can begin
 *     ended         by itself
 *     killed        or it has become another program
 *     elsewhere     of another machine, or a copy that was made while it ran: nobody knows more than
 *                   that it had not ended by itself when the file was copied
 *
 * A profile tells by its records and by whether its process runs; a running process tells by itself
 * (report/process/running.h).
 */
#ifndef REPORT_PROCESS_STATE_H
#define REPORT_PROCESS_STATE_H

#include "report/core/read/profile_read.h"

enum process_state {
	PROCESS_RECORDING,
	PROCESS_NOT_RECORDED,
	PROCESS_ENDED,
	PROCESS_KILLED,
	PROCESS_ELSEWHERE,
	PROCESS_UNBEGUN,  /* it runs, and has no profile */
	PROCESS_SNAPSHOT, /* a copy: no process writes there */
	PROCESS_MERGED,
};

enum process_state process_state_of(const struct profile *p);

/* A sentence's end: `process 4711 runs, and is being recorded`. */
void process_state_text(enum process_state state, unsigned pid, struct str *text);

/* For JSON: one word. */
const char *process_state_name(enum process_state state);

/* Whether it runs, recorded or not. */
static inline bool process_state_runs(enum process_state state)
{
	return state == PROCESS_RECORDING || state == PROCESS_NOT_RECORDED;
}

/* Whether HOST, of a profile, is this machine. */
bool process_state_is_here(const char *host);

/*
 * Whether there is a process of that number on this machine: the one that was recorded, which may
 * have become another program, or another one. For whoever must not say that a process has ended.
 */
bool process_state_exists(const struct zprof_header *h, const char *host);

#endif
