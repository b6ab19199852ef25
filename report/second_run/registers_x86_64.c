/* SPDX-License-Identifier: MIT */
/* registers_x86_64.c - see registers.h: AX BX CX DX SI DI BP SP IP, R8 to R15, as the kernel orders them. */
#include "report/second_run/registers.h"

const struct registers registers = {
    .mask = 0xff01ff,
    .sampled = 17,
    .tables = 17,
    .sp = 7,
    .pc = 16,
    .dwarf = {0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15},
};
