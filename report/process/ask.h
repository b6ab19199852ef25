/* SPDX-License-Identifier: MIT */
/*
 * ask.h - asks a running process to begin a recording, to end it, or to choose functions
 * (preload/process/request.h), and waits for nothing: the caller looks again and again whether the
 * process has answered.
 *
 * With reach.stops all threads of the process stand still while bytes of its code are stored: also
 * the bytes that the process itself decides on, for which it then waits (ask_store()).
 */
#ifndef REPORT_ASK_H
#define REPORT_ASK_H

#include <stdbool.h>

#include "report/process/running.h"

/*
 * Asks, and wakes hooks so that the next call finds it. OPTIONS: for a recording that begins; or
 * patterns.
 */
bool ask_for(struct running *r, enum request_what what, const char *options, struct str *err);

/*
 * If no thread has claimed it after ASK_KNOCK_NS, and again after twice as long: it may be that only
 * functions are called that are left out, or that the process was still switching entries off when
 * they were switched on. Then all hooks look.
 */
#define ASK_KNOCK_NS 50000000
bool ask_knock(struct running *r, struct str *err);

/* Stores what the process has handed over, if it has. */
bool ask_store(struct running *r, struct str *err);

/* Whether a thread of the process has claimed the request, or has answered it. */
bool ask_is_taken_on(struct running *r);

/* Whether it has been answered; false with a message: the process has ended. */
bool ask_answered(struct running *r, bool *answered, struct str *err);

/* The answer, and where the profile is. */
bool ask_answer(struct running *r, struct str *profile, struct str *err);

/* Takes a request back that has not been answered, and switches off what was switched on for it. */
void ask_withdraw(struct running *r);

#endif
