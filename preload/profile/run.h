/* SPDX-License-Identifier: MIT */
/*
 * run.h - the run that a process belongs to.
 *
 * All processes of a run share a run id, so that reports can add them up. Nothing is put into the
 * program's environment for that, because the program would see it. A process is of the run of
 *
 *   - the process it was forked from, if that was recording;
 *   - ZPROF_RUN in its environment: `zprof record` sets that before the program starts;
 *   - its nearest ancestor that is recording: one that has a profile mapped, which says the id;
 *   - itself: then the id is made from the boot, the process's number and when it began, which stay
 *     the same when it becomes another program by exec.
 *
 * The run is not found if all ancestors of the process have ended, or have become programs that do
 * not record, before its own first call; or if /proc does not show them. The process is then a run
 * of its own.
 */
#ifndef ZPROF_RUN_H
#define ZPROF_RUN_H

struct process;

/*
 * Fills in p->run_id, and p->first, which is true if no other process gave us the run id. `from`:
 * the process that this one was forked from, or NULL.
 */
void run_choose(struct process *p, const struct process *from);

#endif
