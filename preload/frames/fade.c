/* SPDX-License-Identifier: MIT */
/* fade.c - see fade.h. */
#include "preload/frames/fade.h"

#define STEPS 16

/* 2^(32 - i / 16) */
static const uint64_t steps[STEPS + 1] = {
    4294967296, 4112874773, 3938502376, 3771522796, 3611622603, 3458501653,
    3311872529, 3171459999, 3037000500, 2908241642, 2784941738, 2666869345,
    2553802834, 2445529972, 2341847524, 2242560872, 2147483648,
};

uint64_t fade_left(uint64_t elapsed, uint64_t half)
{
	uint64_t halves = elapsed / half, rest, part, i;

	if (halves >= 32)
		return 0;
	/* `rest` counts 2^20ths of a half-life. */
	rest = (uint64_t)(((unsigned __int128)(elapsed % half) << 20) / half);
	i = rest >> 16;
	part = rest & 0xffff;
	return (steps[i] - (((steps[i] - steps[i + 1]) * part) >> 16)) >> halves;
}
