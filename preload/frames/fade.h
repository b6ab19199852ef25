/* SPDX-License-Identifier: MIT */
/*
 * fade.h - moving averages over time, in whole numbers: the library has no floating point.
 *
 * A frame counts half after a half-life, a quarter after two. So an average is the sum of what is
 * left of each frame's value, divided by the sum of what is left of each frame (readers divide):
 *
 *     sum = sum * 2^(-elapsed / half) + value       weight = weight * 2^(-elapsed / half) + 1
 */
#ifndef ZPROF_FADE_H
#define ZPROF_FADE_H

#include <stdint.h>

#define FADE_ONE ((uint64_t)1 << 32)

/* 2^(-elapsed / half) * FADE_ONE, to 1 in 4,000. */
uint64_t fade_left(uint64_t elapsed, uint64_t half);

/* `value` times a factor that fade_left() gave. */
static inline int64_t fade_times(int64_t value, uint64_t factor)
{
	return (int64_t)(((__int128)value * (int64_t)factor) >> 32);
}

#endif
