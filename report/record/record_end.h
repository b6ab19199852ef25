/* SPDX-License-Identifier: MIT */
/*
 * record_end.h - how a program ended that was recorded, and what the kernel counted of it: taken
 * while it is a zombie, when all its threads have ended and it has not been waited for.
 */
#ifndef REPORT_RECORD_END_H
#define REPORT_RECORD_END_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct record_end {
	pid_t pid;
	int status;        /* as waitpid(2) gives it */
	uint64_t ended_ns; /* CLOCK_MONOTONIC, at most; 0: nothing is known of its end */
	uint64_t cpu_ns;   /* of all its threads, also before an exec */
	/* How long its first thread was ready to run while others had the processor; 0: unknown. */
	uint64_t queued_ns;
	uint64_t
	    children_ns; /* CPU time of those of its children that it has waited for, and of theirs */
	uint64_t peak_bytes; /* of memory */
	char name[16];       /* of its first thread: prctl(PR_GET_NAME) */
};

/*
 * Waits for the child PID. Calls BEFORE_REAPING when it has ended, while its number is still its
 * own. False: there is no such child.
 */
bool record_end_wait(struct record_end *end, pid_t pid, void (*before_reaping)(void));

#endif
