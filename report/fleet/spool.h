/* SPDX-License-Identifier: MIT */
/*
 * spool.h - messages that could not be sent yet, in a folder: a file for each, the newest N of them.
 *
 *     FOLDER/01700000000.000123.push     the older first, by name
 *
 *     zprof-push 1 <newline> query <newline> boundary <newline> body
 *
 * A file has its name when it is whole (core/base/replace.h). So the spool survives the agent, and the
 * machine. Agents with one folder would send each other's messages: each agent has a folder of its own.
 */
#ifndef REPORT_SPOOL_H
#define REPORT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "report/core/base/str.h"
#include "report/fleet/message.h"

struct spool {
	char *folder;
	size_t most;     /* how many messages are kept */
	size_t dropped;  /* by spool_put(), because there were more */
	unsigned number; /* of the next file */
};

/* Uses FOLDER, and makes it if it is not there. False with a message. */
bool spool_open(struct spool *s, const char *folder, size_t most, struct str *err);
void spool_close(struct spool *s);

/* Keeps M, and drops the oldest messages if there are too many. False with a message. */
bool spool_put(struct spool *s, const struct message *m, struct str *err);

/* How many messages there are. */
size_t spool_count(const struct spool *s);

/* Reads the oldest message. PATH becomes its file. False if there is none. A damaged file is dropped,
 * and counted. */
bool spool_oldest(struct spool *s, struct message *m, struct str *path);

/* Removes a file of the spool: its message is done with. */
void spool_remove(const char *path);

#endif
