/* SPDX-License-Identifier: MIT */
/* registers_aarch64.c - see registers.h: x0 to x30, sp, and pc, which the tables do not know. */
#include "report/second_run/registers.h"

const struct registers registers = {
    .mask = 0x1ffffffff,
    .sampled = 33,
    .tables = 32,
    .sp = 31,
    .pc = 32,
    .dwarf = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
	      17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32},
};
