/* SPDX-License-Identifier: MIT */
/*
 * reach.h - reads and writes the memory of another process, also its code.
 *
 * The way is /proc/PID/mem, while the process runs on: it is not stopped, and gets no signal and no
 * thread. The kernel permits reading and writing there to processes that may trace the other. Some
 * kernels refuse writing (for code, a setting since Linux 6.12). Then all threads stand still for
 * each batch of writes, and ptrace writes. Threads also stand still if the user asks for that.
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

/* PROC: the process's folder in /proc. SAME_USER: the process is of our user. False with a message;
 * call reach_close() even then. */
bool reach_open(struct reach *r, pid_t pid, const char *proc, bool same_user, struct str *err);
void reach_close(struct reach *r);

/* A batch of writes. False with a message. */
bool reach_begin(struct reach *r, struct str *err);
void reach_end(struct reach *r);

bool reach_read(const struct reach *r, uint64_t at, void *to, size_t bytes);

/* Writes bytes. False: reach_refused() says why. */
bool reach_write(struct reach *r, uint64_t at, const void *from, size_t bytes);

/* Puts a message into ERR: WHAT of the process, such as "the code", cannot be written. Returns
 * false. */
bool reach_refused(const struct reach *r, const char *what, struct str *err);

#endif
