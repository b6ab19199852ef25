/* SPDX-License-Identifier: MIT */
/*
 * attach_wait.h - asks a running process for something, and waits until it has been done.
 *
 * The process looks at its next call of a function, so it may take a while: a line says so after
 * two seconds. Ctrl-C takes the request back.
 */
#ifndef REPORT_ATTACH_WAIT_H
#define REPORT_ATTACH_WAIT_H

#include "report/core/options/options_shared.h"
#include "report/process/ask.h"

/* SIGINT and SIGTERM end a wait from here on, and not the command. */
void attach_catch_interrupts(void);

/* Sleeps so many seconds, or until it is interrupted or the process has gone. */
void attach_sleep(const struct running *r, double seconds);

/* Whether the process has ended, or become another program. */
bool attach_has_gone(const struct running *r);

/* What commands that ask a process are themselves asked for. */
struct attach_options {
	bool stopped;
	/* of `zprof attach`: */
	const char *only;
	double seconds; /* 0: until `zprof detach` */
};
extern const struct option_spec attach_option_stopped[], attach_options[]; /* --stopped, --help */

/* The answer, and where the profile is. */
bool attach_request(struct running *r, enum request_what what, const char *options,
		    struct str *profile, struct str *err);

#endif
