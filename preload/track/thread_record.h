/* SPDX-License-Identifier: MIT */
/*
 * thread_record.h - the profile's record of a lineage's threads: names, ids, times, and which zone
 * is open (format.h, struct zprof_thread).
 *
 * A record's id is its place among the records. Ids are handed out by one atomic addition, so two
 * threads that begin at once never get the same one. Records may not move, so they lie in sections
 * of growing size.
 */
#ifndef ZPROF_THREAD_RECORD_H
#define ZPROF_THREAD_RECORD_H

#include "preload/format.h"
#include "preload/process/process.h"

/*
 * A new record of zeros. Its id is stored in `*id`; the record is valid from when the caller stores
 * the id there. NULL: no room.
 */
struct zprof_thread *thread_record_new(struct process *p, uint32_t *id);

/* Stores the calling thread's name and id, and counts it. */
void thread_record_describe(struct zprof_thread *record, uint32_t tid);

#define THREAD_RECORD_NAME sizeof(((struct zprof_thread *)0)->name)

/*
 * Stores the name that the kernel knows the thread `tid` of this process by, zero-padded. False: it
 * cannot be read.
 */
bool thread_record_name_of(uint32_t tid, char name[THREAD_RECORD_NAME]);

/*
 * To be called when the kernel's name of the record's thread is `name`; `known` is what it was so
 * far, and is replaced. A name that the program gave with zprof_thread_name() stays.
 */
void thread_record_rename(struct zprof_thread *record, char known[THREAD_RECORD_NAME],
			  const char name[THREAD_RECORD_NAME]);

/* Ends the time of the thread before at its last event, and begins the calling thread's time. */
void thread_record_begin(struct zprof_thread *record, uint64_t ticks);

/* How many zones are open, by the record. */
uint64_t thread_record_open_zones(const struct zprof_thread *record, char *base);

#endif
