/* SPDX-License-Identifier: MIT */
/*
 * push.h - sends files to a receiver, one message for each, and counts what became of them: for
 * `zprof push` and `zprof record --push`.
 */
#ifndef REPORT_PUSH_H
#define REPORT_PUSH_H

#include <stdbool.h>

#include "report/core/base/str.h"
#include "report/fleet/message.h"
#include "report/fleet/receiver.h"

struct push {
	struct receiver receiver;
	struct message_labels labels;
	struct str labels_text; /* from the environment */
	struct fleet_counts counts;
	size_t unreadable; /* files of which no message could be made */
};

/* O: how to reach the receiver. Labels come from the environment. False with a message. */
bool push_open(struct push *p, const struct receiver_options *o, struct str *err);
void push_close(struct push *p);

/* Sends the profile in FILE, and says on stderr why, if it was not received. */
void push_file(struct push *p, char *file, uint32_t recording, bool anyone);

/* Prints how many profiles had which outcome. True if all were received. */
bool push_say(const struct push *p);

#endif
