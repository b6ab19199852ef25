/* SPDX-License-Identifier: MIT */
/* collect_parts.h - what the files that copy a profile share (collect.h). */
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

/* Whether such a section has frames or single calls. */
bool collect_is_of_frames(uint32_t type);

/* Whether it is written anew all the time: what is used of it is known when it is copied. */
bool collect_goes_round(uint32_t type);

/* Takes the frames of all threads, and single calls, until UNTIL_NS. */
void collect_frames(struct collect *c, uint64_t until_ns);

#endif
