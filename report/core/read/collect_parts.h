/* SPDX-License-Identifier: MIT */
/*
 * collect_parts.h - functions that the files of collect.h share, and how a feature copies its own
 * sections.
 */
#ifndef REPORT_COLLECT_PARTS_H
#define REPORT_COLLECT_PARTS_H

#include "preload/format.h"
#include "report/core/read/collect.h"

#define WORD sizeof(uint64_t)

uint64_t collect_now_ns(void);

/* Copies words of the file, one after the other. */
void collect_words(struct collect *c, uint64_t offset, uint64_t bytes);

/* Whether sections of this type have numbers of a thread's nodes. */
bool collect_is_counting(uint32_t type);

/* Copies the set of the thread whose record is at word RECORD; gives up waiting at UNTIL_NS. */
void collect_thread(struct collect *c, uint64_t record, uint64_t until_ns);

/* How a loader's sections are copied (core/load/loader.h): as a set of their own. */
struct collector {
	/* Whether sections of this type are the loader's. */
	bool (*owns)(uint32_t type);

	/* Whether the program writes over such a section again and again, so that its length in use is
	 * only known when it is copied. */
	bool (*goes_round)(uint32_t type);

	/* Copies the loader's sections of all threads; gives up waiting at UNTIL_NS. */
	void (*take)(struct collect *c, uint64_t until_ns);
};

/* Collector number I of report/loaders.c, or NULL behind the last. */
const struct collector *collector_at(size_t i);

#endif
