/* SPDX-License-Identifier: MIT */
/*
 * request.h - the requests of `zprof attach` and `zprof detach` to a running program.
 *
 * zprof finds `zprof_request` among the symbols of the libzprof.so that a process has mapped, and
 * writes there by /proc/PID/mem. No thread and no signal waits for it: the program's next call of a
 * hook finds the request. But the hooks may all be switched off, or return at once. So zprof
 *
 *     1. writes the request, and last of all a new number into `asked`;
 *     2. opens the doors, the words whose addresses are in `doors`: a hook whose door holds 0
 *        returns at once, and with 1 looks for a request;
 *     3. to end a recording, puts REQUEST_WORD_OVER into the word that all hooks look at, so that
 *        each hook takes the slow way (recording/pause.h);
 *     4. switches on the entries of functions, one byte each (sites/scan.h).
 *
 * The first hook that is called then does the rest, as for any other switch: all exits on, then all
 * entries. Until all is switched, nothing is recorded. At the end, the hook stores the number in
 * `answered`. A request may come while a thread is switching hooks off, and zprof may then have
 * found entries that were still on. So that thread looks for a request when it is done.
 *
 * Where functions are left out (code/only.h), only the other functions call hooks. If none of these
 * is called for a while, zprof switches on the entries of all functions. The process then switches
 * off again the entries of those left out.
 *
 * A request is also answered if the process is already doing what was asked (REQUEST_ALREADY). Only
 * one request is made at a time.
 *
 * ## With all threads stopped
 *
 * With `hands_over` the process still decides which bytes change, and in which order, but stores
 * none. The thread that answers the request hands the bytes over to zprof, a batch at a time, and
 * waits. zprof stops all threads by ptrace, the waiting thread too, stores the bytes, says so in
 * `stored`, and lets the threads go on:
 *
 *     the process                            zprof
 *     batch, batch_count; handed = n
 *     waits until stored == n                finds handed != stored
 *                                            stops all threads, reads both numbers again
 *                                            stores the batch; stored = n
 *                                            lets all threads go on
 *
 * If nothing is stored for a few seconds, zprof has been killed. The process then takes the batch
 * back, stores the bytes itself, as without `hands_over`, and prints a message. No batch is stored
 * by both, because zprof looks at the numbers only while the waiting thread stands still.
 */
#ifndef ZPROF_REQUEST_H
#define ZPROF_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#define REQUEST_MAGIC      0x3171657266727a04u
#define REQUEST_TEXT_BYTES 8192
#define REQUEST_PATH_BYTES 4352
#define REQUEST_DOORS      4
#define REQUEST_BATCH      4096 /* bytes to store, at most */
#define REQUEST_DOOR_SHUT  0    /* a hook returns at once */
#define REQUEST_DOOR_ASKS  1    /* a hook asks whether there is something to do */
#define REQUEST_WORD_OVER  2    /* in the word that hooks look at: take the slow way */

enum request_what {
	REQUEST_BEGIN = 1, /* record: begin if nothing has begun, else end a pause */
	REQUEST_END,       /* a pause, with all hooks off */
	REQUEST_WATCH,     /* functions that match `options` are recorded... */
	REQUEST_UNWATCH,   /* ... or not, in a process that records */
};

enum request_result {
	REQUEST_DONE = 1,
	REQUEST_ALREADY, /* the process was in the state asked for */
	REQUEST_FAILED,  /* the process has said why on its stderr */
};

/* What the process does. The program's own pauses do not count (recording/recordings.h). */
enum request_state {
	REQUEST_STATE_UNBEGUN, /* there is no profile */
	REQUEST_STATE_WAITS,   /* start=off: no recording has begun */
	REQUEST_STATE_RECORDS,
	REQUEST_STATE_ENDED, /* by request */
};

/* A byte to be stored, if the expected byte is there. */
struct request_store {
	uint64_t at;
	uint8_t from, to, unused[6];
};

struct zprof_request {
	uint64_t magic;
	uint32_t asked, claimed, answered; /* numbers of requests */
	uint32_t what, result;
	/* WATCH, UNWATCH: functions, and calls of hooks (start/choose.h) */
	uint32_t matched, switched;
	uint32_t hands_over;     /* 1: the asking process stores the bytes of code */
	uint32_t handed, stored; /* numbers of batches */
	uint32_t batch_count;
	uint32_t state;                /* enum request_state; always true */
	uint64_t batch;                /* address of the batch: struct request_store[batch_count] */
	uint64_t doors[REQUEST_DOORS]; /* addresses of the doors; 0: no door has ever been shut */
	/* address of the pointer to the word that hooks look at; 0: none yet */
	uint64_t word;
	char profile[REQUEST_PATH_BYTES];
	/* BEGIN: options as in ZPROF_OPTIONS. WATCH, UNWATCH: patterns. */
	char options[REQUEST_TEXT_BYTES];
};

extern __attribute__((visibility("protected"))) struct zprof_request zprof_request;

/* Whether there is a request that no thread has claimed. */
static inline bool request_waits(void)
{
	return __atomic_load_n(&zprof_request.asked, __ATOMIC_ACQUIRE) !=
	       __atomic_load_n(&zprof_request.claimed, __ATOMIC_ACQUIRE);
}

/* Whether the request is about some functions, and not about recording as a whole. */
static inline bool request_chooses(void)
{
	return zprof_request.what == REQUEST_WATCH || zprof_request.what == REQUEST_UNWATCH;
}

/* Whether the request is to begin recording in a process where nothing has begun. */
static inline bool request_begins(void)
{
	return request_waits() && zprof_request.what == REQUEST_BEGIN;
}

#endif
