/* SPDX-License-Identifier: MIT */
/*
 * flow.h - where the code of a function goes on, instruction by instruction, and what it calls: the same
 * questions for each processor whose code is understood, x86-64 and arm64.
 */
#ifndef SYMBOLIZE_FLOW_H
#define SYMBOLIZE_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#define FLOW_UNKNOWN INT64_MAX

struct flow {
	unsigned length; /* bytes */
	bool leaves;     /* jumps or returns; calls do not */
	int64_t
	    to; /* how far from the instruction's end it jumps; FLOW_UNKNOWN: the code does not tell */
};

/* Whether this processor's code is understood (EM_X86_64 and so on, elf.h). */
bool flow_is_known(unsigned machine);

/* Decodes the instruction at CODE, of at most ROOM bytes. False if it is not known. */
bool flow_decode(unsigned machine, const uint8_t *code, uint64_t room, struct flow *f);

/*
 * The length of the call at CODE, of at most ROOM bytes, whose address is AT; 0: there is none. *TO is what
 * it calls; *BY, which is 0 for other calls, the address in the global offset table that has what it calls.
 * (On x86-64 CODE need not be the beginning of an instruction: other bytes almost never look like a call of
 * a certain function by chance.)
 */
unsigned flow_call(unsigned machine, const uint8_t *code, uint64_t room, uint64_t at, uint64_t *to,
		   uint64_t *by);

/* Where the next instruction may begin, at the soonest: so many bytes after another. */
unsigned flow_step(unsigned machine);

#endif
