/* SPDX-License-Identifier: MIT */
/*
 * reach.h - reads and writes the memory of another process, its code too.
 *
 * By /proc/PID/mem, while the process runs: it is not stopped, gets no signal and no thread. The
 * kernel allows that to processes that may trace it. Where it does not let them write (for code,
 * Linux has had that as a setting since 6.12), all threads stand still for each batch, and ptrace
 * writes. They also stand still where the user asks for it.
 */
#ifndef REPORT_REACH_H
#define REPORT_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "report/core/base/str.h"
#include "report/process/stopped.h"

struct reach {
	pid_t pid;
	int mem;
	bool stops; /* threads are stopped before anything is written */
	bool batch; /* between reach_begin() and reach_end() */
	struct stopped stopped;
	struct str why; /* why nothing could be written */
};

/*
 * PROC: its folder in /proc. SAME_USER: it is ours. False with a message; reach_close() is due even
 * then.
 */
bool reach_open(struct reach *r, pid_t pid, const char *proc, bool same_user, struct str *err);
void reach_close(struct reach *r);

/* A batch of writes. False with a message. */
bool reach_begin(struct reach *r, struct str *err);
void reach_end(struct reach *r);

bool reach_read(const struct reach *r, uint64_t at, void *to, size_t bytes);

/* False: reach_refused() says why. */
bool reach_write(struct reach *r, uint64_t at, const void *from, size_t bytes);

/* Nothing could be written to WHAT, "the code", of the process: always false. */
bool reach_refused(const struct reach *r, const char *what, struct str *err);

#endif
