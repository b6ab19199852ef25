/* SPDX-License-Identifier: MIT */
/* push_options.h - the options of `zprof push`: how to reach a receiver, and labels. */
#ifndef REPORT_PUSH_OPTIONS_H
#define REPORT_PUSH_OPTIONS_H

#include "report/core/options/options_shared.h"
#include "report/fleet/receiver.h"

struct push_options {
	struct receiver_options receiver; /* all but its url */
	const char *service;
	const char **labels;
	size_t label_count, label_room;
};

extern const struct option_spec push_options[];

/* Adds the service and the labels that were given to those in L. False with a message. */
bool push_options_labels(const struct push_options *own, struct message_labels *l, struct str *err);

void push_options_free(void *own);

/* A time such as 10s, 2m or 250ms, in seconds; 0: VALUE is none. */
double push_options_time(const char *value);

#endif
