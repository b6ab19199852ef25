/* SPDX-License-Identifier: MIT */
/*
 * ask.h - asks a running process to begin a recording, to end it, or to choose functions
 * (preload/process/request.h). Nothing here waits: the caller checks from time to time whether the
 * process has answered.
 *
 * With reach.stops, all threads of the process stand still while bytes of its code are stored. The
 * process then does not store bytes itself, but hands them over and waits until ask_store() has
 * stored them.
 */
#ifndef REPORT_ASK_H
#define REPORT_ASK_H

#include <stdbool.h>

#include "report/process/running.h"

/* Writes a request, and wakes hooks so that the process's next call of a function finds the
 * request. OPTIONS: for REQUEST_BEGIN, the options of the recording; otherwise patterns. */
bool ask_for(struct running *r, enum request_what what, const char *options, struct str *err);

/*
 * Wakes all hooks. The caller does this if no thread has claimed the request after ASK_KNOCK_NS,
 * and again after twice as long. There are two reasons: the program may call only functions that
 * are left out; or the process was still switching entries off when ask_for() switched them on.
 */
#define ASK_KNOCK_NS 50000000
bool ask_knock(struct running *r, struct str *err);

/* Stores the bytes that the process has handed over, if there are any. */
bool ask_store(struct running *r, struct str *err);

/* Whether a thread of the process has claimed the request, or has answered it. */
bool ask_is_taken_on(struct running *r);

/* Whether the request has been answered; false with a message: the process has ended. */
bool ask_answered(struct running *r, bool *answered, struct str *err);

/* Reads the answer. PROFILE becomes the path of the process's profile. */
bool ask_answer(struct running *r, struct str *profile, struct str *err);

/* Takes a request back that has not been answered, and switches off the entries switched on for
 * it. */
void ask_withdraw(struct running *r);

#endif
