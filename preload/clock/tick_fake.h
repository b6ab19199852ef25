/* SPDX-License-Identifier: MIT */
/* tick_fake.h - a clock for tests: each reading by a thread is one tick, from 1 on. */
#ifndef ZPROF_TICK_FAKE_H
#define ZPROF_TICK_FAKE_H

#include "preload/base/cpu.h"

#include <stdint.h>

extern __thread uint64_t tick_fake_count
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline __attribute__((always_inline)) uint64_t tick_read(void)
{
	/* "Once", so that the ticks of a signal handler in between are never lost. */
	cpu_add_once(&tick_fake_count, 1);
	return tick_fake_count;
}

#endif
