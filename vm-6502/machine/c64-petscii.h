/* SPDX-License-Identifier: MIT */
/*
 * c64-petscii: characters of a C64, in its set of lower-case and upper-case letters. Where that
 * differs from ASCII, the characters are those of the set that programs for programmers bring
 * along: \ ^ _ at 5c, 5e and 5f, and { | } ~ from db on.
 *
 *	41 to 5a   a to z
 *	c1 to da   A to Z; 61 to 7a are the same
 */
#ifndef VM_6502_C64_PETSCII_H
#define VM_6502_C64_PETSCII_H

#include <stdint.h>

/* LF becomes RETURN; a character that PETSCII lacks, '?'. */
uint8_t petscii_from_ascii(uint8_t c);

/* UTF-8 of a character on the screen, "" for a control character such as RETURN. */
const char *petscii_utf8(uint8_t c);

/* The ASCII of a character; 0 where there is none. */
uint8_t petscii_ascii(uint8_t c);

#endif
