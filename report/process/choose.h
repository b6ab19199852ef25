/* SPDX-License-Identifier: MIT */
/*
 * choose.h - asks a running process to record functions or to leave them out: 'zprof watch', 'zprof
 * unwatch', and the keys w and W of the live view.
 */
#ifndef REPORT_CHOOSE_H
#define REPORT_CHOOSE_H

#include "report/process/ask.h"

/* Whether functions can be chosen: it is being recorded. */
bool choose_may(struct running *r, struct str *err);

/*
 * Adds TEXT as one pattern of several: where it has a space, any character. False with a message if
 * it is not a valid pattern.
 */
bool choose_add(struct str *patterns, const char *text, struct str *err);

/* Adds the pattern that matches functions of this name alone. */
void choose_add_name(struct str *patterns, const char *name);

/* Adds what the process has answered, as a sentence. */
void choose_describe(struct str *text, const struct running *r, enum request_what what,
		     const char *patterns);

/* A request that is under way, beside other things. */
struct choose {
	bool asked;
	struct running running;
	enum request_what what;
	struct str patterns;
	int64_t asked_ns;
	bool knocked;
};

/* False with a message. An earlier request is taken back. */
bool choose_ask(struct choose *c, const char *process, enum request_what what, const char *patterns,
		struct str *err);

/* True: it is over, and TEXT says how. */
bool choose_over(struct choose *c, struct str *text);

void choose_free(struct choose *c);

#endif
