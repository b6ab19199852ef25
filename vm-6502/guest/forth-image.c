/* SPDX-License-Identifier: MIT */
/* forth-image: see the header. */
#include "vm-6502/guest/forth-image.h"

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
	*i = (struct forth_image){.patched = -1, .stamp = -1};
	for (int k = 0; k < (int)(sizeof field / sizeof *field); k++)
		*field[k] = m6502_peek16(m, LIST_AT + 4 + 2 * k);
	return true;
}

uint16_t forth_image_core_end(const struct forth_image *i, const struct m6502 *m)
{
	return i->other ? i->core_end : m6502_peek16(m, i->core);
}

bool forth_image_is_thread(const struct forth_image *i, const struct m6502 *m, uint16_t xt)
{
	uint16_t code = i->direct ? xt : m6502_peek16(m, xt), to = m6502_peek16(m, code + 1);
	uint8_t opcode = m6502_peek(m, code);

	return code == i->docol || ((opcode == 0x20 || opcode == 0x4c) &&
				    (to == i->dodoes || (i->direct && to == i->docol)));
}
