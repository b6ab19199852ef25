/* SPDX-License-Identifier: MIT */
/*
 * notes_thread.h - the library's records of the one thread that a row tells of (notes.h): a process
 * with a profile in memory, the thread's track and notes, and some zones.
 */
#ifndef ZPROF_TEST_NOTES_THREAD_H
#define ZPROF_TEST_NOTES_THREAD_H

#include "preload/process/process.h"
#include "preload/sample/notes.h"
#include "preload/sample/sampling.h"
#include "preload/track/track.h"

enum thread_zone { ZONE_F, ZONE_G, ZONE_H, ZONE_OWN, ZONE_ROOT, ZONES };

#define THREAD_WAITS 16

struct thread {
	struct process process;
	struct zprof_header header;
	struct sampling sampling;
	struct zprof_thread record;
	struct notes notes;
	uint64_t began_ns;                      /* its CPU time when sampling began */
	uint64_t parents_ns;                    /* that of the processes that it is a child of */
	struct track handler;                   /* of level 1 */
	struct open_zone bottom, top, handlers; /* what the tracks have open */
	struct zprof_wait waits[THREAD_WAITS];  /* records, in the order in which they were made */
	uint32_t wait_count;
	bool full; /* the file has no room for records */
};

/* Instructions of the program: 8 bytes for each place (notes_play.c). */
#define THREAD_CODE 128

extern struct thread thread;
extern unsigned char thread_code[THREAD_CODE];
extern const char *const thread_zones[ZONES]; /* their names */

/* SETTING: as in notes.h. Sampling does not begin yet. */
void thread_begin(const char *setting);

/* Sampling begins. */
void thread_sample(void);

/* It goes on as the first thread of a forked child. */
void thread_fork(void);

struct zprof_node *thread_node(enum thread_zone zone);

/* What the stack of a sample in that zone holds; "nowhere": 0, no stack. */
uint64_t thread_place(const char *zone);

/* Nanoseconds from "1.5ms", "200us" or "7ns"; the process is ended if it is none. */
uint64_t thread_time(const char *text);

/* ---- notes_charged.c */

/* What was charged, in the words of notes.h; until the next call. */
const char *thread_charged(bool with_alive);

/*
 * NULL, or what is wrong about the sums, so that no story must tell it. KNOWS_CPU_TIME: the library
 * could ask for it; KNOWS_ALL: and no time has been left out on purpose.
 */
const char *thread_unsound(bool knows_cpu_time, bool knows_all);

#endif
