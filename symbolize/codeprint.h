/* SPDX-License-Identifier: MIT */
/*
 * A hash of a function's machine code that stays the same when the code is linked elsewhere,
 * because addresses in it count as zero. Two builds of one source function have the same hash if
 * the compiler made the same instructions of it. Its name, its address, and the addresses of
 * functions it calls do not matter.
 *
 *     e8 4b 01 00 00        call 1270 <work>         counts as  e8 00 00 00 00
 *     48 8d 05 aa 0f 00 00  lea 0xfaa(%rip),%rax     counts as  48 8d 05 00 00 00 00
 *     75 f2                 jne 1118                 stays: a jump within the function
 *     bf 20 40 40 00        mov $0x404020,%edi       counts as  bf 00 00 00 00 if that is an address
 *                                                    of the module
 *
 * So the code must be split into instructions, which is done for x86-64 only.
 */
#ifndef SYMBOLIZE_CODEPRINT_H
#define SYMBOLIZE_CODEPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Stores the hash of the SIZE bytes at CODE in *PRINT. The module's own addresses are [LOW, HIGH);
 * LOW is 0 if the module may be loaded anywhere. False if an instruction is not known.
 */
bool codeprint(const uint8_t *code, size_t size, uint64_t low, uint64_t high, uint64_t *print);

#endif
