/* SPDX-License-Identifier: MIT */
/*
 * process_state.h - the state of a process that was recorded: the one answer for all commands.
 *
 *     recording     it runs, and is being recorded (or has paused recording by itself)
 *     not recorded  it runs, but is not being recorded: 'zprof detach' has ended the recording, or
 *                   the process was started with start=off; 'zprof attach' can begin
 *     ended         it ended by itself
 *     killed        it was killed, or has become another program
 *     elsewhere     it is of another machine, or the file is a copy made while it ran: all that
 *                   is known is that it had not ended by itself when the file was copied
 *
 * The state follows from a profile's records, and from whether its process runs. A running process
 * can also be asked directly (report/process/running.h).
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

/* The end of a sentence about a state: `process 4711 runs, and is being recorded`. */
void process_state_text(enum process_state state, unsigned pid, struct str *text);

/* The state in one word, for JSON. */
const char *process_state_name(enum process_state state);

/* Whether the process runs, recorded or not. */
static inline bool process_state_runs(enum process_state state)
{
	return state == PROCESS_RECORDING || state == PROCESS_NOT_RECORDED;
}

/* Whether HOST, the host of a profile, is this machine. */
bool process_state_is_here(const char *host);

/* Whether this machine has a process with the number in H. It may be the recorded process, also
 * after an exec, or an unrelated one. For callers that must not call a running process ended. */
bool process_state_exists(const struct zprof_header *h, const char *host);

#endif
