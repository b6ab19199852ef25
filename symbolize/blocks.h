/* SPDX-License-Identifier: MIT */
/*
 * Finds the counted blocks of a function in its code. Each begins with a call of the function that
 * counts (`call stub`, or on x86-64 with -fno-plt `call *slot(%rip)`; code of arm64 that is compiled so
 * has the address in some register, and no block is found), and ends with the jump that leaves it.
 *
 *     cmpl  $12, -4(%rbp)
 *     jne   L                   ends the block: L is beyond the next call
 *     jmp   done                `break;`, a block to which the compiler gave no call: not counted
 *  L: call  count               begins the next block
 *
 * A jump that lands before the next call, such as one around a negation, stays inside its block.
 * Code of x86-64 and arm64 is understood (flow.h).
 */
#ifndef SYMBOLIZE_BLOCKS_H
#define SYMBOLIZE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "symbolize/image.h"
#include "symbolize/symbolize.h"

/*
 * Calls EACH for the blocks of CODE, SIZE bytes at address START, whose calls go to CALLEE. If
 * instructions cannot be decoded, they count as part of the block they follow.
 */
void blocks_each(const struct image_code *code, uint64_t start, uint64_t size,
		 const struct symbolize_callee *callee, symbolize_block_fn *each, void *context);

#endif
