/* SPDX-License-Identifier: MIT */
/*
 * counted.h - what the kernel counts of the calling thread, whether it also writes notes or not.
 *
 * The counts tell what notes that are missing would have told (away.h). Functions of their own ask
 * for them, so that a test can answer instead of the kernel (tests/sample/notes.h). None may be
 * called once system calls are forbidden (sys.h).
 */
#ifndef ZPROF_COUNTED_H
#define ZPROF_COUNTED_H

#include <stdint.h>

/* How often the thread has left the processor to wait, and because another was given it. */
void counted_switches(uint64_t *waits, uint64_t *preemptions);

/* How long the thread has been ready to run while others had the processor, in ns; 0: unknown. */
uint64_t counted_queue_ns(void);

#endif
