/* SPDX-License-Identifier: MIT */
/*
 * counted.h - the kernel's counts for the calling thread, which it keeps whether it writes notes or
 * not.
 *
 * The counts make up for missing notes (away.h). They have a file of their own so that a test can
 * answer instead of the kernel (tests/sample/notes.h). No function here may be called once system
 * calls are forbidden (sys.h).
 */
#ifndef ZPROF_COUNTED_H
#define ZPROF_COUNTED_H

#include <stdint.h>

/*
 * How often the thread has left the processor to wait, and how often because another thread got the
 * processor.
 */
void counted_switches(uint64_t *waits, uint64_t *preemptions);

/* How long the thread has been ready to run while others had the processor, in ns; 0: unknown. */
uint64_t counted_queue_ns(void);

#endif
