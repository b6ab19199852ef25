/* SPDX-License-Identifier: MIT */
/*
 * stopped.h - all threads of another process stand still for a moment, by ptrace.
 *
 * For users who want no thread to run while a byte of its code is stored; and to store bytes where
 * /proc/PID/mem may not be written. A processor passes a serialising instruction as it takes up a
 * thread again that stood still.
 *
 * The threads are seized, not attached to: no signal is sent, and one that a signal has stopped
 * (SIGSTOP) stays so. Threads that come meanwhile are looked for until none is new. A signal that
 * is on its way to a thread reaches it afterwards. The processes that share the program's memory
 * for a moment, after vfork, are no threads; but the thread that waits for such a one does not stop
 * before that has gone.
 *
 * ## Calls that are interrupted
 *
 * A thread that waits in a system call leaves the call to stand still, and the kernel makes the
 * call again afterwards: with the time that is left, or none was given. But some calls return EINTR
 * instead, even where no signal comes (signal(7) lists them under "stop signals"). These are made
 * again nevertheless: we put another error into the thread's register, ERESTARTNOHAND, which the
 * kernel keeps for just that. A handler that is to run returns EINTR as always; a signal that is
 * ignored, and wakes a thread up only because a tracer may want to see it, does not. So no call
 * returns early; but one of these that has a timeout begins it anew. close() is not among them:
 * what it closes is closed, although it was interrupted.
 *
 * A thread's instruction may be one whose first byte changes: it stands before it, or behind it,
 * and its length stays (preload/sites/scan.h).
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
	bool stands; /* false: it has been asked to stop */
	int signal;  /* one that it must still get; 0: none */
};

struct stopped {
	bool brief; /* zprof ends where stopped_begin() fails */
	pid_t pid;
	struct stopped_thread *threads; /* those that have not ended */
	size_t count, room;
};

/*
 * It starts as zeros, but for `brief`. PID is the process, or one of its threads. False with a
 * message, and none stands still any more.
 *
 * One that has been asked to stop can only be let go once it has stopped, which may take long. That
 * is waited for; but where zprof ends, the kernel lets it go.
 */
bool stopped_begin(struct stopped *s, pid_t pid, struct str *err);

/* Lets them go on. */
void stopped_end(struct stopped *s);

/* Whether they stand still. */
static inline bool stopped_now(const struct stopped *s)
{
	return s->count != 0;
}

/*
 * Stores bytes into the process, wherever they are, while it stands still. False: errno says why.
 */
bool stopped_store(const struct stopped *s, uint64_t at, const void *from, size_t bytes);

#endif
