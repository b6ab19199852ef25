/* SPDX-License-Identifier: MIT */
/*
 * choose.h - asks a running process to record functions or to leave them out: 'zprof watch', 'zprof
 * unwatch', and the keys w and W of the live view.
 */
#ifndef REPORT_CHOOSE_H
#define REPORT_CHOOSE_H

#include "report/process/ask.h"

/* Whether functions can be chosen, which needs a process that is being recorded. */
bool choose_may(struct running *r, struct str *err);

/*
 * Adds TEXT to PATTERNS as one more pattern. Spaces separate patterns, so a space in TEXT becomes
 * `?`, any character. False with a message if TEXT is not a valid pattern.
 */
bool choose_add(struct str *patterns, const char *text, struct str *err);

/* Adds the pattern that matches only functions called NAME. */
void choose_add_name(struct str *patterns, const char *name);

/* Adds a sentence that says what the process has answered. */
void choose_describe(struct str *text, const struct running *r, enum request_what what,
		     const char *patterns);

/* A request that is under way while the caller does other things. */
struct choose {
	bool asked;
	struct running running;
	enum request_what what;
	struct str patterns;
	int64_t asked_ns;
	bool knocked;
};

/* Makes a request, and withdraws an earlier one. False with a message. */
bool choose_ask(struct choose *c, const char *process, enum request_what what, const char *patterns,
		struct str *err);

/* True: the request is over, and TEXT says with which result. */
bool choose_over(struct choose *c, struct str *text);

void choose_free(struct choose *c);

#endif
