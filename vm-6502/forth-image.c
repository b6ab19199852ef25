/* SPDX-License-Identifier: MIT */
/* forth-image: see the header. */
#include "vm-6502/forth-image.h"

enum { LIST_AT = 0x0203 };

bool forth_image_find(struct forth_image *i, const struct m6502 *m)
{
	static const char magic[4] = "itc1";
	uint16_t *const field[] = {&i->next, &i->ip,      &i->w,       &i->docol, &i->dodoes,
				   &i->exit, &i->forth,   &i->voclink, &i->files, &i->dp,
				   &i->core, &i->buckets, &i->metrics};

	for (int k = 0; k < 4; k++) {
		if (m6502_peek(m, LIST_AT + k) != (uint8_t)magic[k])
			return false;
	}
	for (int k = 0; k < (int)(sizeof field / sizeof *field); k++)
		*field[k] = m6502_peek16(m, LIST_AT + 4 + 2 * k);
	return true;
}
