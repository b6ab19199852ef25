/* SPDX-License-Identifier: MIT */
/* c64-petscii: see the header. */
#include "vm-6502/machine/c64-petscii.h"

#include <stdbool.h>

uint8_t petscii_from_ascii(uint8_t c)
{
	if (c >= 'a' && c <= 'z')
		return c - 0x20;
	if (c >= 'A' && c <= 'Z')
		return c + 0x80;
	if (c >= '{' && c <= '~')
		return c + 0x60;
	if (c == '\n' || c == '\r')
		return 0x0d;
	if (c == '\b' || c == 0x7f)
		return 0x14;
	return c > 0x7f || c == '`' ? '?' : c;
}

uint8_t petscii_ascii(uint8_t c)
{
	if (c >= 0x41 && c <= 0x5a)
		return c + 0x20;
	if (c >= 0x61 && c <= 0x7a)
		return c - 0x20;
	if (c >= 0xc1 && c <= 0xda)
		return c - 0x80;
	if (c >= 0xdb && c <= 0xde)
		return c - 0x60;
	if (c == 0xa4)
		return '_';
	if (c == 0xa0)
		return ' ';
	return c >= 0x20 && c <= 0x5f ? c : 0;
}

const char *petscii_utf8(uint8_t c)
{
	static char text[2];

	text[0] = petscii_ascii(c);
	if (text[0])
		return text;
	return (c & 0x7f) < 0x20 ? "" : "\xe2\x96\x92";
}
