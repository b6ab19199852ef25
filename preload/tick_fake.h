/* SPDX-License-Identifier: MIT */
/* tick_fake.h - a clock for tests: each reading by a thread is one tick, from 1 on. */
#ifndef ZPROF_TICK_FAKE_H
#define ZPROF_TICK_FAKE_H

#include <stdint.h>

extern __thread uint64_t tick_fake_count __attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline __attribute__((always_inline)) uint64_t tick_read(void)
{
	return ++tick_fake_count;
}

#endif
