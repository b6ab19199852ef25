/* SPDX-License-Identifier: MIT */
/*
 * collect_parts.h - what the files that copy a profile share (collect.h), and how a feature copies
 * its own sections.
 */
#ifndef REPORT_COLLECT_PARTS_H
#define REPORT_COLLECT_PARTS_H

#include "preload/format.h"
#include "report/core/read/collect.h"

#define WORD sizeof(uint64_t)

uint64_t collect_now_ns(void);

/* Copies words of the file, one after the other. */
void collect_words(struct collect *c, uint64_t offset, uint64_t bytes);

/* Whether such a section has numbers of a thread's nodes. */
bool collect_is_counting(uint32_t type);

/* Takes the set of the thread with that record, until UNTIL_NS. */
void collect_thread(struct collect *c, uint64_t record, uint64_t until_ns);

/* How a loader's sections are copied (core/load/loader.h): as a set of their own. */
struct collector {
	/* Whether such a section is the loader's. */
	bool (*owns)(uint32_t type);

	/* Whether such a section is written anew all the time: what it uses is known when it is copied. */
	bool (*goes_round)(uint32_t type);

	/* Takes those of all threads, until UNTIL_NS. */
	void (*take)(struct collect *c, uint64_t until_ns);
};

/* Number I of those that loaders have, or NULL; in report/loaders.c. */
const struct collector *collector_at(size_t i);

#endif
