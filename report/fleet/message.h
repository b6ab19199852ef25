/* SPDX-License-Identifier: MIT */
/*
 * message.h - what a receiver is told of one profile: a request of Pyroscope's HTTP interface, in
 * memory, ready to be sent or to be kept in a file (spool.h).
 *
 *     POST /ingest?name=sim%7Bhost%3Da%2Cversion%3D12ab...%7D&from=1700000000&until=1700000010
 *                  &spyName=zprof
 *     Content-Type: multipart/form-data; boundary=...
 *
 *     profile               the profile as pprof: one sample per context, with calls, cpu, wait
 *     sample_type_config    JSON: how these three are added up
 *
 * There is no `format=pprof` in the request: with it, the receiver takes the whole body for one
 * profile, and would not look for the two parts. tests/fleet/receiver.py quotes the receiver's
 * documentation, field by field.
 */
#ifndef REPORT_MESSAGE_OF_FLEET_H
#define REPORT_MESSAGE_OF_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"

/* What the profile cannot tell by itself. */
struct message_labels {
	const char *service;  /* NULL: the name of the program's file */
	const char *revision; /* of the program's source; NULL: unknown */
	const char **more;    /* NAME=VALUE, in order */
	size_t more_count, more_room;
};

struct message {
	char *query;    /* behind the `?`: escaped, and safe to print */
	char *boundary; /* of the parts of the body */
	char *body;
	size_t bytes;
};

/* The service, the revision and further labels that the environment names: ZPROF_SERVICE,
 * ZPROF_REVISION, and ZPROF_LABELS, which is NAME=VALUE,... TEXT keeps the labels' memory. */
void message_labels_from_environment(struct message_labels *l, struct str *text);

/* Adds NAME=VALUE to the labels; it must stay valid. False with a message if a receiver would not
 * take that name. */
bool message_label_add(struct message_labels *l, const char *label, struct str *err);

/* Makes the message of the profile at PATH, or of one RECORDING of it (0: of all). Reads also
 * another user's file if ANYONE is set. False with a message. */
bool message_make(struct message *m, char *path, uint32_t recording, const struct message_labels *l,
		  bool anyone, struct str *err);
void message_free(struct message *m);

#endif
