/* SPDX-License-Identifier: MIT */
/*
 * fade.h - moving averages over time, in whole numbers: the library has no floating point.
 *
 * A frame has weight 1 when it ends, a half after one half-life, a quarter after two. An average is
 * the weighted sum of the frames' values, divided by the sum of their weights. The library keeps
 * the two sums, and readers divide:
 *
 *     sum = sum * 2^(-elapsed / half) + value       weight = weight * 2^(-elapsed / half) + 1
 */
#ifndef ZPROF_FADE_H
#define ZPROF_FADE_H

#include <stdint.h>

#define FADE_ONE ((uint64_t)1 << 32)

/* 2^(-elapsed / half) * FADE_ONE, with an error of at most 1 in 4,000. */
uint64_t fade_left(uint64_t elapsed, uint64_t half);

/* `value` times a factor that fade_left() gave. */
static inline int64_t fade_times(int64_t value, uint64_t factor)
{
	return (int64_t)(((__int128)value * (int64_t)factor) >> 32);
}

#endif
