/* SPDX-License-Identifier: MIT */
/*
 * record_end.h - how a recorded program ended, and what the kernel counted for it. The counts are
 * read while the program is a zombie: all its threads have ended, and nobody has waited for it yet.
 */
#ifndef REPORT_RECORD_END_H
#define REPORT_RECORD_END_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct record_end {
	pid_t pid;
	int status;        /* as waitpid(2) gives it */
	uint64_t ended_ns; /* CLOCK_MONOTONIC, at most; 0: its end was not seen */
	uint64_t cpu_ns;   /* of all its threads, also before an exec */
	/* How long its first thread was ready to run while others had the processor; 0: unknown. */
	uint64_t queued_ns;
	uint64_t children_ns; /* CPU time of children that it has waited for, and of theirs */
	uint64_t peak_bytes;  /* of memory */
	char name[16];        /* of its first thread: prctl(PR_GET_NAME) */
};

/* Waits until the child PID has ended. Calls BEFORE_REAPING after that, while the number PID cannot
 * be another process's yet. False: there is no such child. */
bool record_end_wait(struct record_end *end, pid_t pid, void (*before_reaping)(void));

#endif
