/* SPDX-License-Identifier: MIT */
/*
 * collect.h - copies a profile that is being written, so that the numbers of each thread belong
 * together.
 *
 * The program counts on while its file is read, and is neither stopped nor asked. Its counters are
 * words of 64 bits, and each is loaded whole. A thread's numbers are one *set*: its nodes, and its
 * record. The set is taken like this:
 *
 *     1. copy all words of the set
 *     2. load the hot words, which were seen to change, until two rounds in a row agree
 *     3. compare all other words with the copy; words that differ are hot from now on: go on at 2
 *
 * If 3 finds no difference, the copy shows the set at one moment, between the two rounds that agreed:
 * the hot words did not change from one round to the other, and the other words did not change since
 * they were copied. No event can pass unseen, though ticks and current nodes may return to earlier
 * values: an enter adds 1 to a number of calls, which only grows, and an exit without an enter
 * changes the current node. The moment may lie inside an event, between two of its stores; so the
 * numbers are within one hook event of each other.
 *
 * A thread that makes a call every few nanoseconds still pauses for a microsecond whenever the kernel
 * takes a sample of it, a thousand times a second. Step 2 waits for such a pause, for some
 * milliseconds at most. A set that keeps changing until then is copied as it is, with the number of
 * calls that were counted meanwhile (`moved`): its numbers are at most so many calls apart.
 *
 * A feature may have sections that are a set of another kind, and copies them itself: struct collector
 * (collect_parts.h). All sections that are in no set are copied last, without such care.
 *
 * Rejected: a counter that the hooks advance around each event. It costs them two stores a call,
 * and does not help a reader of a set that changes all the time.
 */
#ifndef REPORT_COLLECT_H
#define REPORT_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"

struct collect_section {
	uint64_t offset, used;
	uint32_t type, thread;
};

/* A part of a set, in words. */
struct collect_span {
	uint64_t first, count;
	bool nodes;
};

struct collect {
	char *path;
	int fd;
	const uint64_t *words; /* the file, mapped */
	size_t mapped;         /* bytes */
	uint64_t *copy;        /* of the file, as far as it is used; zeros elsewhere */
	size_t bytes, room;    /* of the copy */
	struct collect_section *sections;
	size_t section_count, section_room;
	struct collect_span *spans; /* of the set being copied */
	size_t span_count, span_room;
	uint64_t *hot; /* numbers of the words that change */
	size_t hot_count, hot_room;
	uint8_t *is_hot; /* by word */
	size_t is_hot_room;
	uint64_t patience_ns; /* for all threads together */
	uint32_t threads;     /* sets that were copied */
	uint32_t restless;    /* how many of these changed in every attempt */
	uint64_t moved;       /* calls counted in the most restless set while it was read */
};

/* Opens the file at PATH: only the user's own or root's, unless ANYONE is set. */
bool collect_open(struct collect *c, const char *path, bool anyone, struct str *err);

/* Copies the file: copy[0, bytes) is a profile for profile_parse(). False with a message if the file
 * is no profile any more. */
bool collect_take(struct collect *c, struct str *err);

/* Writes the copy to PATH (core/base/replace.h), marked as a snapshot (ZPROF_SNAPSHOT). */
bool collect_save(const struct collect *c, const char *path, struct str *err);

void collect_close(struct collect *c);

/* Loads a word of the file. Tests replace it by a function that lets a writer write meanwhile. */
extern uint64_t (*collect_load)(const uint64_t *word);

#endif
