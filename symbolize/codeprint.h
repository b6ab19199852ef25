/* SPDX-License-Identifier: MIT */
/*
 * A hash of a function's machine code that stays the same when the code is linked elsewhere,
 * because addresses in it count as zero. Two builds of one source function have the same hash if
 * the compiler made the same instructions of it. Its name, its address, and the addresses of
 * functions it calls do not matter.
 *
 *   x86-64
 *     e8 4b 01 00 00        call 1270 <work>         counts as  e8 00 00 00 00
 *     48 8d 05 aa 0f 00 00  lea 0xfaa(%rip),%rax     counts as  48 8d 05 00 00 00 00
 *     75 f2                 jne 1118                 stays: a jump within the function
 *     bf 20 40 40 00        mov $0x404020,%edi       counts as  bf 00 00 00 00 if that is an address
 *                                                    of the module
 *   arm64
 *     94000045              bl   8a4 <work>          counts as  94000000
 *     b0000080              adrp x0, 11000           counts as  90000000
 *     9100a000              add  x0, x0, #0x28       counts as  91000000, since x0 is the page of an
 *                                                    address, at whichever instructions lead here
 *     54000080              b.eq 7c0                 stays: a jump within the function
 *
 * So the code must be split into instructions, which is done for these two processors.
 */
#ifndef SYMBOLIZE_CODEPRINT_H
#define SYMBOLIZE_CODEPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbolize/image.h"

/*
 * Stores the hash of the first SIZE bytes of CODE in *PRINT. False if an instruction is not known, or the
 * processor.
 */
bool codeprint(const struct image_code *code, size_t size, uint64_t *print);

#endif
