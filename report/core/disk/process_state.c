/* SPDX-License-Identifier: MIT */
/* process_state.c - see process_state.h. */
#define _GNU_SOURCE
#include "report/core/disk/process_state.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "report/core/disk/file_kind.h"

bool process_state_is_here(const char *host)
{
	char here[256] = "";
	gethostname(here, sizeof here - 1);
	return host && !strcmp(host, here);
}

bool process_state_exists(const struct zprof_header *h, const char *host)
{
	return process_state_is_here(host) && (!kill((pid_t)h->pid, 0) || errno == EPERM);
}

static bool recording_goes_on(const struct profile *p)
{
	const struct zprof_recording *last;
	if (!p->recording_count)
		return true;
	last = &p->recordings[p->recording_count - 1];
	return last->began_ns && !last->ended_ns;
}

enum process_state process_state_of(const struct profile *p)
{
	const struct zprof_header *h = &p->header;
	const char *host = p->host ? p->host : "";
	if (h->flags & ZPROF_MERGED)
		return PROCESS_MERGED;
	if (h->flags & ZPROF_FINISHED)
		return PROCESS_ENDED;
	if (h->flags & ZPROF_SNAPSHOT)
		return PROCESS_SNAPSHOT;
	if (file_is_live(p->path, h))
		return recording_goes_on(p) ? PROCESS_RECORDING : PROCESS_NOT_RECORDED;
	return process_state_is_here(host) && !process_state_exists(h, host) ? PROCESS_KILLED
									     : PROCESS_ELSEWHERE;
}

/* A text may name the process's number. */
static const struct {
	const char *name, *text;
} states[] = {
    [PROCESS_RECORDING] = {"recording", "process %u runs, and is being recorded"},
    [PROCESS_NOT_RECORDED] = {"not recorded", "process %u runs, and is not being recorded"},
    [PROCESS_ENDED] = {"ended", "ended by itself"},
    [PROCESS_KILLED] = {"killed", "killed, ended by _exit(), or replaced by another program"},
    [PROCESS_ELSEWHERE] = {"elsewhere", "still running, killed, ended by _exit(), or replaced by "
					"another program"},
    [PROCESS_UNBEGUN] = {"not recorded", "process %u runs, and is not being recorded"},
    [PROCESS_SNAPSHOT] = {"snapshot", "a copy of the profile of process %u, made while that ran"},
    [PROCESS_MERGED] = {"merged", "merged"},
};

void process_state_text(enum process_state state, unsigned pid, struct str *text)
{
	str_add(text, states[state].text, pid);
}

const char *process_state_name(enum process_state state)
{
	return states[state].name;
}
