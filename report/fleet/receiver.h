/* SPDX-License-Identifier: MIT */
/*
 * receiver.h - where messages go, and how: by libcurl, over HTTP or HTTPS.
 *
 * A secret comes from a file or from the environment, never from a command line, where each user of
 * the machine could read it. It goes out only over HTTPS, or to this machine itself. Certificates
 * are always checked. Redirects are not followed: they would carry the secret elsewhere.
 */
#ifndef REPORT_RECEIVER_H
#define REPORT_RECEIVER_H

#include <signal.h>
#include <stdbool.h>

#include "report/core/base/str.h"
#include "report/fleet/fleet.h"
#include "report/fleet/message.h"

struct curl_library;

/* How a receiver is reached. Texts must stay valid while the receiver is open. */
struct receiver_options {
	const char *url; /* of the receiver's root; `/ingest` is added */
	const char
	    *token_file;    /* NULL: the environment's ZPROF_PUSH_TOKEN_FILE or ZPROF_PUSH_TOKEN */
	const char *tenant; /* NULL: ZPROF_PUSH_TENANT; the header X-Scope-OrgID */
	const char *ca;     /* a file of certificates to trust; NULL: the system's */
	double timeout_seconds; /* for a whole attempt; 0: the default */
	unsigned long tries;    /* of each message; 0: the default */
};

struct receiver {
	struct receiver_options o;
	char *url;    /* with `/ingest`, without a query */
	char *secret; /* a bearer's token, or USER:PASSWORD; NULL: none */
	const struct curl_library *library;
	void *curl;            /* of libcurl */
	unsigned long retried; /* attempts that were followed by another */
};

/* False with a message if the options cannot be used. */
bool receiver_open(struct receiver *r, const struct receiver_options *o, struct str *err);
void receiver_close(struct receiver *r);

/* One attempt. WHY becomes the reason, unless the message was received. */
enum fleet_outcome receiver_try(struct receiver *r, const struct message *m, struct str *why);

/*
 * Attempts until the outcome is final, or the attempts are spent: then FLEET_NOT_YET. The pauses
 * between them grow from half a second to a minute; chance makes each up to half shorter, so that
 * the senders of a fleet do not come back in step. *STOP, if not NULL, ends a pause when it is set.
 */
enum fleet_outcome receiver_deliver(struct receiver *r, const struct message *m,
				    const volatile sig_atomic_t *stop, struct str *why);

/* Seconds to wait after failure number FAILURES in a row (1 or more). LUCK is in [0, 1). */
double receiver_pause(unsigned long failures, double luck);
double receiver_luck(void); /* by the kernel's random numbers */

#endif
