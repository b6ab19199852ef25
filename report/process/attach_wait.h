/* SPDX-License-Identifier: MIT */
/*
 * attach_wait.h - asks a running process for something, and waits until it has been done.
 *
 * The process sees the request at its next call of a function, which may take a while; after two
 * seconds a line says so. Ctrl-C takes the request back.
 */
#ifndef REPORT_ATTACH_WAIT_H
#define REPORT_ATTACH_WAIT_H

#include <signal.h>

#include "report/core/options/options_shared.h"
#include "report/process/ask.h"

/* From here on, SIGINT and SIGTERM end a wait, but not the command. */
void attach_catch_interrupts(void);

/* Whether one came since then; it stays so. */
extern volatile sig_atomic_t attach_interrupted;

/* Sleeps for SECONDS, or until a signal comes or the process has gone. */
void attach_sleep(const struct running *r, double seconds);

/* Whether the process has ended, or become another program. */
bool attach_has_gone(const struct running *r);

struct attach_more;

/* The options of commands that ask a process. */
struct attach_options {
	bool stopped;
	/* of `zprof attach`: */
	const char *only;
	double seconds;                 /* 0: until `zprof detach` */
	const struct attach_more *more; /* the feature that does it instead; NULL: none */
	void *given;                    /* values of that feature's options */
};
extern const struct option_spec attach_option_stopped[], attach_options[]; /* --stopped, --help */

/*
 * Makes a request and waits for the answer. PROFILE becomes the path of the process's profile. If no
 * thread takes the request within the patience of R, the request is withdrawn, with a message. A
 * request to end a recording is not withdrawn: the process's next call of a function finds it.
 */
bool attach_request(struct running *r, enum request_what what, const char *options,
		    struct str *profile, struct str *err);

#endif
