/* SPDX-License-Identifier: MIT */
/*
 * agent.h - the agent of a fleet: `zprof attach --for 10s --every 10m --push URL PROG...`.
 *
 *     wait      a part of --every that chance chooses: two thousand agents do not attach in step
 *     round     for each process of these programs, one after the other:
 *                   begin a recording, wait --for, end it: the hooks sleep again
 *                   make the message of this recording, and send it, or keep it (spool.h)
 *               send what was kept, the oldest first, until the receiver fails again
 *               remove the profiles of processes that have ended
 *     wait      the rest of --every, a tenth shorter or longer by chance
 *
 * What the agent takes from the machine is bounded:
 *
 *     one process at a time, and at most half of the time: a program with many processes has some of
 *     them recorded in each round, from one that chance chooses
 *     one percent of a processor for the agent itself: a round that took more is followed by a longer
 *     wait. The agent has a lower priority (nice 10)
 *     files: a process whose profile has more than AGENT_FILE_MOST bytes is left alone (each recording
 *     adds to the profile, preload/recording/recordings.h); --keep messages that could not be sent
 *
 *     time: a process that calls no function for AGENT_PATIENCE_S is left alone
 *
 * Programs may start, end and start again: each round looks for them anew. When the receiver is gone,
 * the agent goes on recording, and tries to send after pauses that grow (receiver_pause()). SIGTERM and
 * Ctrl-C end a recording early, put the hooks to sleep, and end the agent.
 */
#ifndef REPORT_AGENT_H
#define REPORT_AGENT_H

#include "report/core/options/options.h"
#include "report/fleet/push.h"
#include "report/fleet/spool.h"
#include "report/process/attach_record.h"

#define AGENT_FILE_MOST  ((uint64_t)100 << 20)
#define AGENT_CPU_SHARE  0.01
#define AGENT_PATIENCE_S 5

/* The options that the agent adds to `zprof attach`. */
struct agent_options {
	struct receiver_options receiver;
	double every_seconds; /* 0: one round */
	const char *spool;    /* NULL: none, what cannot be sent is dropped */
	size_t keep;          /* 0: the default */
};

/* A profile that a process has begun at our request. */
struct agent_profile {
	char *path;
	pid_t pid;
	bool told; /* a message said that it is too large */
};

struct agent {
	const struct agent_options *own;
	struct attach_wish wish;
	double for_seconds;
	struct push push;
	struct spool spool;
	struct agent_profile *profiles;
	size_t profile_count, profile_room;
	unsigned long failures; /* of the receiver, in a row */
	int64_t retry_ns;       /* the receiver is not asked before this moment */
	size_t recorded, too_large, failed, dropped;
};

/* Runs the agent for the programs, or processes, that O names. Gives the exit status. */
int agent_run(void *given, struct options *o, struct str *err);

#endif
