/* SPDX-License-Identifier: MIT */
/*
 * stopped.h - makes all threads of another process stand still for a moment, by ptrace.
 *
 * This serves users who want no thread to run while a byte of its code is stored, and kernels that
 * do not allow writing to /proc/PID/mem. A processor that takes up a stopped thread again passes a
 * serialising instruction first, so it sees the new code.
 *
 * The threads are seized, not attached to: no signal is sent, and a thread that a signal has
 * stopped (SIGSTOP) stays stopped. Threads that begin meanwhile are searched for until there is no
 * new one. A signal that is on its way to a thread reaches it afterwards. After vfork, a child
 * shares the program's memory without being a thread of it. The thread that made this child waits
 * for it, and does not stop before the child has gone.
 *
 * ## Calls that are interrupted
 *
 * A thread that waits in a system call leaves the call to stand still. Afterwards the kernel makes
 * most calls again, with the time that is left, if there was a limit. But some calls return EINTR
 * instead, even if no signal comes (signal(7) lists them under "stop signals"). We have these made
 * again: we store the error ERESTARTNOHAND into the thread's register, and the kernel then repeats
 * the call. If a signal handler is to run, the call returns EINTR as always. If an ignored signal
 * woke the thread only because a tracer may want to see it, the call goes on. So no call returns
 * early; but a repeated call with a timeout begins its timeout anew. close() is not repeated: it
 * has closed its file, although it was interrupted.
 *
 * A thread may stand at an instruction whose first byte changes. That is safe: the thread stands
 * before or behind the instruction, whose length stays (preload/sites/scan.h).
 */
#ifndef REPORT_STOPPED_H
#define REPORT_STOPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "report/core/base/str.h"

struct stopped_thread {
	pid_t id;
	bool stands; /* false: the thread has been asked to stop */
	int signal;  /* a signal that the thread must still get; 0: none */
};

struct stopped {
	bool brief; /* zprof ends soon after stopped_begin() fails */
	pid_t pid;
	struct stopped_thread *threads; /* the threads that have not ended */
	size_t count, room;
};

/*
 * Stops the threads of process PID, which may also be the number of one of its threads. S starts as
 * zeros, but for `brief`. False with a message, and no thread stands still any more.
 *
 * A thread that has been asked to stop can only be let go once it has stopped, which may take long.
 * After a failure this function waits for such threads; with `brief` it does not, since the kernel
 * lets them go as zprof ends.
 */
bool stopped_begin(struct stopped *s, pid_t pid, struct str *err);

/* Lets the threads go on. */
void stopped_end(struct stopped *s);

/* Whether threads stand still. */
static inline bool stopped_now(const struct stopped *s)
{
	return s->count != 0;
}

/* Stores bytes anywhere in the process's memory while its threads stand still. False: errno says
 * why. */
bool stopped_store(const struct stopped *s, uint64_t at, const void *from, size_t bytes);

#endif
