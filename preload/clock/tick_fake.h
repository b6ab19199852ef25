/* SPDX-License-Identifier: MIT */
/* tick_fake.h - a clock for tests: each reading by a thread is one tick, from 1 on. */
#ifndef ZPROF_TICK_FAKE_H
#define ZPROF_TICK_FAKE_H

#include <stdint.h>

extern __thread uint64_t tick_fake_count
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline __attribute__((always_inline)) uint64_t tick_read(void)
{
	/* One instruction, so that the ticks of a signal handler in between are never lost. */
	__asm__ volatile("incq %0" : "+m"(tick_fake_count));
	return tick_fake_count;
}

#endif
