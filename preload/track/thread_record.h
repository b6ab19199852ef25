/* SPDX-License-Identifier: MIT */
/*
 * thread_record.h - what a profile says of a thread and of those that came after it: names, ids,
 * times, and which zone is open (format.h, struct zprof_thread).
 *
 * A record's id is its place among the records, and ids are handed out by one atomic addition: so
 * two threads that begin at once never meet. The records lie in sections of growing size, since
 * they may not move.
 */
#ifndef ZPROF_THREAD_RECORD_H
#define ZPROF_THREAD_RECORD_H

#include "preload/format.h"
#include "preload/process/process.h"

/*
 * A record with nothing in it but zeros, and the id that makes it valid once it is stored there.
 * NULL: no room.
 */
struct zprof_thread *thread_record_new(struct process *p, uint32_t *id);

/* The calling thread has the record now. */
void thread_record_describe(struct zprof_thread *record, uint32_t tid);

/* The thread before has lasted until its last event, and the calling one begins now. */
void thread_record_begin(struct zprof_thread *record, uint64_t ticks);

/* Zones that the record says are open. */
uint64_t thread_record_open_zones(const struct zprof_thread *record, char *base);

#endif
