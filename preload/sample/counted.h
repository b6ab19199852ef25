/* SPDX-License-Identifier: MIT */
/*
 * counted.h - what the kernel counts of the calling thread, whether it also writes notes or not.
 *
 * The counts fill what the notes lack (away.h). They are behind functions of their own so that a
 * test can answer instead of the kernel (tests/unit/notes.h). Neither may be asked for once system
 * calls are forbidden (sys.h).
 */
#ifndef ZPROF_COUNTED_H
#define ZPROF_COUNTED_H

#include <stdint.h>

/* How often it has left the processor to wait, and because another thread was given it. */
void counted_switches(uint64_t *waits, uint64_t *preemptions);

/* How long it has been ready to run while others had the processor, in ns; 0: unknown. */
uint64_t counted_queue_ns(void);

#endif
