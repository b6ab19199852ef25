/* SPDX-License-Identifier: MIT */
/*
 * A number for a function's machine code that stays the same when the code is linked elsewhere: a
 * hash of its bytes in which addresses count as zero. Two builds of one source function have the
 * same number if the compiler made the same instructions of it, whatever its name is, wherever it
 * lies and wherever what it calls lies.
 *
 *     e8 4b 01 00 00        call 1270 <work>         counts as  e8 00 00 00 00
 *     48 8d 05 aa 0f 00 00  lea 0xfaa(%rip),%rax     counts as  48 8d 05 00 00 00 00
 *     75 f2                 jne 1118                 stays: a jump within the function
 *     bf 20 40 40 00        mov $0x404020,%edi       counts as  bf 00 00 00 00 if that is an address
 *                                                    of the module
 *
 * For this the instructions must be told apart; only those of x86-64 are known.
 */
#ifndef SYMBOLIZE_CODEPRINT_H
#define SYMBOLIZE_CODEPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One instruction: its length, and where in it addresses may stand; 0 bytes: none. */
struct codeprint_instruction {
	unsigned length;
	unsigned displacement_at, displacement_bytes;
	/* The displacement is relative to the instruction's end, not to a register. */
	bool from_here;
	unsigned immediate_at, immediate_bytes;
	bool jump; /* the immediate is relative to the instruction's end */
};

/* Takes the instruction at CODE apart, of at most ROOM bytes; false if it is not known. */
bool codeprint_decode(const uint8_t *code, size_t room, struct codeprint_instruction *i);

/*
 * Puts the number of the SIZE bytes at CODE into *PRINT. The module's own addresses are [LOW,
 * HIGH); LOW is 0 if the module may lie anywhere. False if an instruction is not known.
 */
bool codeprint(const uint8_t *code, size_t size, uint64_t low, uint64_t high, uint64_t *print);

#endif
