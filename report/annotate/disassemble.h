/* SPDX-License-Identifier: MIT */
/*
 * disassemble.h - machine code as text, by Capstone, one instruction after another.
 *
 * Capstone knows the processors of all profiles that can be read. Its library has 6.6 MB; linked with
 * the command it would double the time that each command takes to start (1.4 ms), so it is loaded
 * when the first instruction is asked for.
 *
 *     code   4c 8d 05 a5 2e 00 00           74 0c
 *     text   leaq 0x2ea5(%rip), %r8         je 0x11a6
 *     to     0x4040, a variable             0x11a6, a place in the code
 */
#ifndef REPORT_DISASSEMBLE_H
#define REPORT_DISASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"

struct disassembler;

struct disassembled {
	uint64_t address;
	uint32_t size;    /* bytes */
	const char *text; /* x86 in AT&T's syntax; until the next instruction */
	uint64_t to;      /* the address that it names relative to its own; 0: none */
	bool jumps;       /* `to` is where it jumps to, or what it calls */
};

/* MACHINE is as in an ELF header. NULL with a message: it is not known, or Capstone is missing. */
struct disassembler *disassembler_new(unsigned machine, struct str *err);
void disassembler_free(struct disassembler *d);

/*
 * Takes the instruction at CODE, of LEFT bytes that begin at ADDRESS. Bytes that are no instruction
 * are shown as `(bad)`, as many as the processor's shortest instruction has.
 */
void disassembler_take(struct disassembler *d, const unsigned char *code, size_t left,
		       uint64_t address, struct disassembled *taken);

#endif
