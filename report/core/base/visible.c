/* SPDX-License-Identifier: MIT */
/* visible.c - see visible.h. */
#include "report/core/base/visible.h"

#include <stdio.h>
#include <string.h>

/* How many bytes a character that begins with BYTE takes; 0: no character begins with it. */
static size_t length_of(unsigned char byte)
{
	if (byte < 0x80)
		return 1;
	if (byte < 0xc2)
		return 0;
	return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
}

size_t visible_character(const char *text, uint32_t *number)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)text;
	size_t n = length_of(bytes[0]);
	if (n < 2) {
		*number = bytes[0];
		return n;
	}
	*number = bytes[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*number = *number << 6 | (bytes[i] & 0x3f);
	}
	bool surrogate = *number >= 0xd800 && *number < 0xe000;
	return *number < least[n] || surrogate || *number > 0x10ffff ? 0 : n;
}

bool visible_is_hidden(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
	    {0x00, 0x1f},       {0x7f, 0x9f},     /* controls */
	    {0xad, 0xad},                         /* soft hyphen */
	    {0x61c, 0x61c},     {0x200b, 0x200f}, /* zero width; direction marks */
	    {0x2028, 0x202e},                     /* line separators; embedding, override */
	    {0x2060, 0x206f},                     /* isolates and others of zero width */
	    {0xfeff, 0xfeff},   {0xfff9, 0xfffb}, /* byte order mark, annotations */
	    {0xe0000, 0xe007f},                   /* tags */
	};
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		if (c >= hidden[i].first && c <= hidden[i].last)
			return true;
	return false;
}

void visible_add(struct str *to, const char *text)
{
	while (*text) {
		uint32_t number;
		size_t n = visible_character(text, &number);
		if (!n || (n == 1 && visible_is_hidden(number)))
			str_add(to, "\\x%02x", (unsigned char)*text);
		else if (visible_is_hidden(number))
			str_add(to, "\\u%04x", (unsigned)number);
		else
			str_add_bytes(to, text, n);
		text += n ? n : 1;
	}
}

void visible_print(FILE *to, const char *text)
{
	struct str shown = {0};
	visible_add(&shown, text);
	fputs(str_text(&shown), to);
	str_free(&shown);
}
