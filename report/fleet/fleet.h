/* SPDX-License-Identifier: MIT */
/*
 * fleet.h - from one profile on one machine to the last ten minutes of two thousand servers.
 *
 * Somebody asks: "which function got slower with Tuesday's release?" One profile cannot answer. It
 * shows one process, on one machine, for the seconds that somebody thought of recording. The answer
 * needs many small recordings, taken everywhere, all the time, and a place where they meet.
 *
 * That place exists already. People run Pyroscope, or a store that speaks as Pyroscope does, and
 * look at it with Grafana. So zprof has no server. This folder brings profiles there:
 *
 *     a process                    this machine                           the receiver
 *     +-----------------+  files  +---------------------------+  HTTP   +---------------------+
 *     | zprof.out.PID   | ------> | message.h   what is said  | ------> | POST /ingest        |
 *     |                 |         | receiver.h  how it is sent|         | (somebody else's)   |
 *     +-----------------+         +---------------------------+         +---------------------+
 *            ^ attach, 10 s              |  ^
 *            +-------- agent.h ----------+  +-- spool.h: what could not be sent yet
 *
 * What is sent. A receiver files a profile under a name and labels, and adds up all profiles that a
 * question selects. So a message has what is true of the whole profile: the service, the host, the
 * version (the program's build-id), the revision of its source. It leaves out thread and process
 * numbers: each number would begin a series of its own, and a fleet has millions of them. Three
 * measures go with each context: calls, time on a processor, time waited.
 *
 * What may go wrong. Adding up has a price: a profile that arrives twice counts twice. The
 * receiver's interface has no number by which it could recognise a profile that it already has. So
 * the sender must know, for each attempt, which of these happened:
 *
 *     received    the receiver said so                                 done
 *     refused     the receiver said no, and would again                done: counted, and its words shown
 *     not yet     no connection; the body did not go out whole; or     tried again, after a pause
 *                 the receiver said that it is busy or has a fault     that grows
 *     perhaps     the body went out whole, and no answer came          done: counted as perhaps received
 *
 * The last row is the reason for the table. A retry there would be right or would count everything
 * twice, and nobody could tell which. A profile that is missing is one sample of thousands; one
 * that counts twice is a wrong answer. So the sender gives up, and says how often it did.
 *
 * What an agent may do to a machine. The agent (agent.h) is a guest on somebody's production host.
 * It attaches to one process at a time, waits a time that chance chooses, so that two thousand
 * agents do not attach in step, and lets the hooks sleep again before it does anything else. When
 * the receiver is gone, it keeps the newest profiles in a folder, up to a number, and counts those
 * that it dropped. It stays in the foreground and keeps nothing else between its rounds.
 *
 * What must never happen: a profile that is sent twice without being counted as such; a secret on a
 * command line, in a message on the screen, or in clear text to another machine; a program that
 * stays awake because its profile could not be sent.
 *
 * Many profiles are one question only if a file can hold them, too: 'zprof merge' adds up ten
 * thousand, 'zprof diff --by' compares them by label, and 'zprof export' makes tables of them for
 * databases. Those are features of their own (files/, compare/, export/).
 */
#ifndef REPORT_FLEET_H
#define REPORT_FLEET_H

#include <stddef.h>

/* What became of a message: the table above. */
enum fleet_outcome { FLEET_RECEIVED, FLEET_REFUSED, FLEET_NOT_YET, FLEET_PERHAPS, FLEET_OUTCOMES };

/* How many profiles had each outcome. */
struct fleet_counts {
	size_t of[FLEET_OUTCOMES];
};

struct str;

/* Adds `3 profiles received, 1 refused, 2 perhaps received`; FLEET_NOT_YET is `not sent`. */
void fleet_counts_text(const struct fleet_counts *c, struct str *text);

#endif
